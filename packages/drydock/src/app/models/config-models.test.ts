import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ModelsConfig, ProviderConfig } from "@drydock/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModel } from "../../models/index.ts";
import { readModelSettings } from "./config-models.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "home-"));
});
afterEach(() => rm(home, { recursive: true }));

const configure = (text: string) => writeFile(join(home, "config.yaml"), text);

describe("which model", () => {
  const specOf = async (environment: Record<string, string>, model?: string) => {
    return (await readModelSettings({ home, environment, model })).spec;
  };

  test("none where nobody names one", async () => {
    expect(await readModelSettings({ home, environment: {} })).toMatchObject({ spec: null, budget: {} });
  });

  test("the one asked for, else the environment's, else the configured one with its fallbacks", async () => {
    await configure("models: { default: anthropic/a, fallbacks: [openai/b, ollama/c] }");
    expect(await specOf({})).toEqual(["anthropic/a", "openai/b", "ollama/c"]);
    expect(await specOf({ DRYDOCK_MODEL: "openai/d, ollama/e" })).toEqual(["openai/d", "ollama/e"]);
    expect(await specOf({ DRYDOCK_MODEL: "openai/d" }, "ollama/f")).toEqual(["ollama/f"]);
    await expect(specOf({ DRYDOCK_MODEL: "gpt" })).rejects.toMatchObject({ code: "input.invalid" });
  });

  test("a script's path is made whole", async () => {
    expect(await specOf({}, "scripted:demo/a,b.yaml")).toEqual([`scripted:${join(process.cwd(), "demo/a,b.yaml")}`]);
    await configure("models: { default: 'scripted:own.yaml' }");
    expect(await specOf({})).toEqual([`scripted:${join(home, "own.yaml")}`]);
    await configure("models: { default: 'scripted:own.yaml', fallbacks: [openai/b] }");
    await expect(specOf({})).rejects.toMatchObject({ code: "input.invalid" });
  });
});

describe("providers", () => {
  const read = async (environment: Record<string, string>) => {
    return (await readModelSettings({ home, environment })).options.providers;
  };

  test("keys and addresses of the known ones come from the environment", async () => {
    const providers = await read({
      ANTHROPIC_API_KEY: " sk-ant \n",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      OPENAI_BASE_URL: "http://127.0.0.1:8/v1",
    });
    expect(providers?.anthropic).toMatchObject({ api: "anthropic", baseUrl: "http://127.0.0.1:9/v1", key: "sk-ant" });
    // A server of one's own speaks chat completions, and may want no key.
    expect(providers?.openai).toMatchObject({ api: "openai", baseUrl: "http://127.0.0.1:8/v1" });
    expect(providers?.openai).not.toHaveProperty("keyVariable");
    expect(providers?.ollama).toMatchObject({ api: "openai-compatible" });
  });

  test("the providers' own addresses want a key", async () => {
    expect((await read({}))?.openai).toEqual({
      api: "openai-responses",
      baseUrl: "https://api.openai.com/v1",
      keyVariable: "OPENAI_API_KEY",
      baseUrlSetting: "OPENAI_BASE_URL or models.providers.openai.baseUrl in config.yaml",
    });
  });

  test("more of them, prices, patience and budgets come from the file", async () => {
    await configure(`
models:
  providers:
    vllm: { baseUrl: "http://gpu:8000/v1", keyVariable: VLLM_KEY, schemas: false }
    proxy: { baseUrl: "http://proxy/anthropic/v1", api: anthropic }
  prices: { "vllm/*": { input: 0, output: 0 } }
  timeoutSeconds: 30
  idleSeconds: 5
  retries: 1
  budget: { tokens: 1000, usd: 0.5 }
`);
    const settings = await readModelSettings({ home, environment: { VLLM_KEY: "k" } });
    expect(settings).toMatchObject({
      options: { timeoutMs: 30_000, idleMs: 5000, retries: 1, prices: { "vllm/*": { input: 0, output: 0 } } },
      budget: { tokens: 1000, usd: 0.5 },
    });
    expect(settings.options.providers).toMatchObject({
      vllm: {
        api: "openai-compatible",
        baseUrl: "http://gpu:8000/v1",
        keyVariable: "VLLM_KEY",
        key: "k",
        schemas: false,
      },
      proxy: { api: "anthropic", baseUrl: "http://proxy/anthropic/v1" },
    });
  });
});

describe("a configuration that can't be used is refused with its place", () => {
  test.each([
    [
      "models:\n  defalt: x/y\n",
      /config\.yaml:2:3: models\.defalt: unknown key/,
      /Did you mean default\? Known here: default, fallbacks/,
    ],
    [
      "models:\n  providers:\n    x: { apiKey: abc }\n",
      /:3:10: models\.providers\.x\.apiKey: unknown key/,
      /keyVariable/,
    ],
    [
      "models:\n  providers:\n    x: { baseUrl: 'ftp://a' }\n",
      /:3:10: models\.providers\.x\.baseUrl: an http/,
      /baseUrl/,
    ],
    ["models:\n  providers:\n    x: { baseUrl: 'http://a:b@c' }\n", /user and password can't stand/, /baseUrl/],
    ["models:\n  providers:\n    x: {}\n", /models\.providers\.x: the provider has no address/, /baseUrl/],
    ["models:\n  retries: many\n", /:2:3: models\.retries: must be a number, not text/, /For example: retries: 4/],
    ["model: a/b\n", /:1:1: model: unknown key/, /Did you mean models\?/],
  ])("%j", async (text, message, hint) => {
    await configure(text);
    await expect(readModelSettings({ home, environment: {} })).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test("an address in the environment as well, by whoever would use it", async () => {
    const { options } = await readModelSettings({ home, environment: { OPENAI_BASE_URL: "localhost" } });
    await expect(createModel("openai/x", options)).rejects.toMatchObject({
      code: "model.unavailable",
      message: expect.stringContaining("OPENAI_BASE_URL can't be used: an http or https address is needed"),
    });
    expect(await createModel("ollama/x", options)).toMatchObject({ id: "ollama/x" });
  });
});

describe("the guide", () => {
  const guide = join(import.meta.dirname, "../../../../../docs/guides/models.md");

  test("shows a configuration and a script that are valid, with every setting", async () => {
    const blocks = [...(await readFile(guide, "utf8")).matchAll(/^```yaml\n(.*?)^```/gms)].map(
      (match) => match[1] ?? "",
    );
    const [config = "", script = ""] = blocks;
    await configure(config);
    expect((await readModelSettings({ home, environment: {} })).spec).toEqual([
      "anthropic/claude-sonnet-4-5",
      "openai/gpt-5",
    ]);
    const settings = [...Object.keys(ModelsConfig.shape), ...Object.keys(ProviderConfig.shape)];
    expect(settings.filter((name) => !config.includes(`${name}:`))).toEqual([]);
    const file = join(home, "answers.yaml");
    await writeFile(file, script);
    expect(await createModel(`scripted:${file}`)).toMatchObject({ scripted: true });
  });
});
