import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addModel } from "./add-model.ts";
import { readModelSettings } from "./config-models.ts";
import { listModels } from "./list-models.ts";
import { removeModel } from "./remove-model.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "home-"));
});
afterEach(() => rm(home, { recursive: true }));

const configure = (text: string) => writeFile(join(home, "config.yaml"), text);
const readConfigFile = () => readFile(join(home, "config.yaml"), "utf8");
const settingsOf = (environment: Record<string, string>, model?: string) =>
  readModelSettings({ home, environment, model });

describe("a key in the environment, where nobody names a model", () => {
  test.each([
    [{ ANTHROPIC_API_KEY: "k" }, "anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
    [{ OPENAI_API_KEY: "k" }, "openai/gpt-5", "OPENAI_API_KEY"],
    [{ GEMINI_API_KEY: "k" }, "gemini/gemini-2.5-pro", "GEMINI_API_KEY"],
  ])("decides: %j", async (environment, model, variable) => {
    const { spec, source, detected } = await settingsOf(environment as unknown as Record<string, string>);
    expect({ spec, source }).toEqual({ spec: [model], source: "key" });
    expect(detected).toMatchObject({ model, variable });
    expect(detected?.reason).toContain(`${model} is used because ${variable} is set and no model is configured`);
  });

  test("is the first of several, and the sentence names the others", async () => {
    const { spec, detected } = await settingsOf({ GEMINI_API_KEY: "k", OPENAI_API_KEY: "k" });
    expect(spec).toEqual(["openai/gpt-5"]);
    expect(detected?.reason).toContain("(so is GEMINI_API_KEY)");
  });

  test("does not decide where somebody named a model", async () => {
    const key = { ANTHROPIC_API_KEY: "k" };
    expect(await settingsOf(key, "ollama/a")).toMatchObject({ spec: ["ollama/a"], source: "request", detected: null });
    expect(await settingsOf({ ...key, DRYDOCK_MODEL: "ollama/b" })).toMatchObject({ source: "DRYDOCK_MODEL" });
    await configure("models: { default: ollama/c }");
    expect(await settingsOf(key)).toMatchObject({ spec: ["ollama/c"], source: "config.yaml", detected: null });
  });

  test("does not decide where it is empty, or for a server whose models nobody knows", async () => {
    expect((await settingsOf({ ANTHROPIC_API_KEY: " " })).spec).toBeNull();
    expect((await settingsOf({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://gpu:8000/v1" })).spec).toBeNull();
  });
});

describe("proxies of the environment", () => {
  const proxyOf = async (environment: Record<string, string>, provider = "anthropic") =>
    (await settingsOf(environment)).options.providers?.[provider];

  test("hold for the scheme that they are for, in either case", async () => {
    const except = "internal.example";
    expect((await proxyOf({ HTTPS_PROXY: "http://p:1", NO_PROXY: except }))?.proxy).toEqual({
      https: "http://p:1",
      except,
    });
    expect((await proxyOf({ https_proxy: "p:1" }))?.proxy).toEqual({ https: "http://p:1", except: "" });
    expect((await proxyOf({ HTTP_PROXY: "http://p:1" }))?.proxy).toBeUndefined();
    expect((await proxyOf({ ALL_PROXY: "http://p:1" }))?.proxy).toMatchObject({ https: "http://p:1" });
  });

  test("are not for servers on this machine", async () => {
    expect((await proxyOf({ HTTP_PROXY: "http://p:1", ALL_PROXY: "http://p:1" }, "ollama"))?.proxy).toBeUndefined();
  });

  test("that can't be used are a problem of those who would use them", async () => {
    expect((await proxyOf({ HTTPS_PROXY: "socks5://p:1" }))?.problem).toMatch(/HTTPS_PROXY can't be used/);
    expect((await proxyOf({ HTTPS_PROXY: "socks5://p:1" }, "ollama"))?.problem).toBeUndefined();
  });
});

describe("adding a model", () => {
  test("makes the file, and the next request asks it", async () => {
    const added = await addModel(home, { model: "ollama/llama3" });
    expect(added).toEqual({ file: join(home, "config.yaml"), model: "ollama/llama3", role: "default", replaced: null });
    expect((await settingsOf({ ANTHROPIC_API_KEY: "k" })).spec).toEqual(["ollama/llama3"]);
    expect((await lstat(join(home, "config.yaml"))).mode & 0o777).toBe(0o600);
  });

  test("keeps comments, order and every other key", async () => {
    await configure(`# mine
models:
  budget: { usd: 5 } # not more
  # the old one
  default: ollama/old
  providers:
    vllm: { baseUrl: "http://gpu:8000/v1" } # in the cellar
`);
    expect(await addModel(home, { model: "openai/gpt-5" })).toMatchObject({ replaced: "ollama/old" });
    expect(await readConfigFile()).toBe(`# mine
models:
  budget: { usd: 5 } # not more
  # the old one
  default: openai/gpt-5
  providers:
    vllm: { baseUrl: "http://gpu:8000/v1" } # in the cellar
`);
  });

  test("keeps a file of comments alone", async () => {
    await configure("# nothing yet\n");
    await addModel(home, { model: "ollama/a" });
    expect(await readConfigFile()).toMatch(/^# nothing yet\n\n?models:\n {2}default: ollama\/a\n$/);
  });

  test("writes a provider with the name of its key's variable", async () => {
    const baseUrl = "http://gpu:8000/v1";
    await addModel(home, { model: "vllm/qwen", baseUrl, keyVariable: "VLLM_KEY", schemas: false });
    const { options } = await settingsOf({ VLLM_KEY: "geheim" });
    expect(options.providers?.vllm).toMatchObject({ baseUrl, keyVariable: "VLLM_KEY", key: "geheim", schemas: false });
    expect(await readConfigFile()).not.toContain("geheim");
  });

  test("as a fallback appends it once, and takes it off the fallbacks when it becomes the default", async () => {
    await addModel(home, { model: "ollama/a" });
    await addModel(home, { model: "ollama/b", fallback: true });
    await addModel(home, { model: "ollama/c", fallback: true });
    await addModel(home, { model: "ollama/c", fallback: true });
    expect((await settingsOf({})).spec).toEqual(["ollama/a", "ollama/b", "ollama/c"]);
    await addModel(home, { model: "ollama/b" });
    expect((await settingsOf({})).spec).toEqual(["ollama/b", "ollama/c"]);
  });

  test("writes through a link", async () => {
    const real = join(home, "elsewhere.yaml");
    await writeFile(real, "# kept\nmodels: {}\n");
    await symlink(real, join(home, "config.yaml"));
    await addModel(home, { model: "ollama/a" });
    expect(await readFile(real, "utf8")).toContain("# kept");
    expect((await lstat(join(home, "config.yaml"))).isSymbolicLink()).toBe(true);
  });

  test.each([
    [{ model: "gpt-5" }, /is not a valid model name/],
    [{ model: "a/b,c/d" }, /not the name of one model/],
    [{ model: "scripted:x" }, /not the name of one model/],
    [{ model: "mine/x" }, /no provider "mine" yet, and no address/],
    [{ model: "mine/x", baseUrl: "gpu:8000" }, /baseUrl: an http or https address is needed/],
    [{ model: "mine/x", baseUrl: "http://a", keyVariable: "sk-live-abc" }, /keyVariable: the name of an environment/],
    [{ model: "ollama/x", fallback: true }, /no default/],
  ])("refuses %j and writes nothing", async (options, message) => {
    const error = await addModel(home, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "input.invalid", message: expect.stringMatching(message) });
    expect(JSON.stringify([(error as Error).message, (error as { hint: string }).hint])).not.toContain("sk-live");
    await expect(readConfigFile()).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("leaves a broken file as it is, and names its line", async () => {
    await configure("models:\n  defalt: x/y\n");
    await expect(addModel(home, { model: "ollama/a" })).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("config.yaml:2:3"),
    });
    expect(await readConfigFile()).toBe("models:\n  defalt: x/y\n");
  });
});

test("a list holds no key", async () => {
  const list = await listModels({ home, environment: { OPENAI_API_KEY: "geheim" } });
  expect(list).toMatchObject({ models: ["openai/gpt-5"], source: "key" });
  expect(list.providers).toContainEqual(
    expect.objectContaining({ name: "openai", keyVariable: "OPENAI_API_KEY", hasKey: true }),
  );
  expect(JSON.stringify(list)).not.toContain("geheim");
});

describe("removing a model", () => {
  const CONFIG = `# mine
models:
  default: own/a # the big one
  fallbacks: [openai/b, own/c]
  providers:
    own: { baseUrl: "http://127.0.0.1:8000/v1" }
  retries: 2
`;

  test("that is the default makes the first fallback the default, and keeps a provider that is still used", async () => {
    await configure(CONFIG);
    expect(await removeModel(home, "own/a")).toMatchObject({ role: "default", next: "openai/b", provider: null });
    const text = await readConfigFile();
    expect(text).toContain("# mine\nmodels:\n  default: openai/b");
    expect(text).toContain("fallbacks: [ own/c ]");
    expect(await removeModel(home, "own/c")).toMatchObject({ role: "fallback", next: "openai/b", provider: "own" });
    expect(await readConfigFile()).toBe("# mine\nmodels:\n  default: openai/b # the big one\n  retries: 2\n");
    expect(await removeModel(home, "openai/b")).toMatchObject({ next: null });
    expect(await readConfigFile()).toBe("# mine\nmodels:\n  retries: 2\n");
    expect((await settingsOf({})).spec).toBeNull();
  });

  test("that is not in the file is refused, with those that are", async () => {
    await configure(CONFIG);
    const refused = { code: "input.invalid", hint: "The models in it are own/a, openai/b, own/c." };
    await expect(removeModel(home, "own/d")).rejects.toMatchObject(refused);
    expect(await readConfigFile()).toBe(CONFIG);
    await rm(join(home, "config.yaml"));
    await expect(removeModel(home, "own/a")).rejects.toMatchObject({ hint: expect.stringContaining("unset it") });
  });

  test("that is the only setting leaves a file that can be read", async () => {
    await configure("models: { default: ollama/a }\n");
    await removeModel(home, "ollama/a");
    expect((await settingsOf({})).spec).toBeNull();
  });
});
