import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createModel } from "./index.ts";

const request = { step: "chat", system: "", messages: [{ role: "user", text: "Hello" }] } as const;

describe("before anything is asked", () => {
  test.each([
    ["", "PROVIDER/NAME"],
    ["gpt-5", "PROVIDER/NAME"],
    ["openai/", "PROVIDER/NAME"],
    ["scripted:", "scripted:FILE"],
  ])("%j is refused as no model", async (spec, hint) => {
    await expect(createModel(spec)).rejects.toMatchObject({
      code: "input.invalid",
      hint: expect.stringContaining(hint),
    });
  });

  test("a scripted model is no fallback", async () => {
    await expect(createModel(["openai/gpt-5", "scripted:x.yaml"])).rejects.toMatchObject({ code: "input.invalid" });
  });

  test("an unknown provider is named with the one that was probably meant", async () => {
    await expect(createModel("antropic/claude", { providers: {} })).rejects.toMatchObject({
      code: "model.unavailable",
      hint: expect.stringMatching(/Did you mean anthropic\/claude\?.*models\.providers\.antropic\.baseUrl/),
    });
  });

  test("without any key, the hint names the variable", async () => {
    await expect(createModel("anthropic/claude-x")).rejects.toMatchObject({
      code: "model.unavailable",
      hint: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    await expect(createModel("anthropic/claude-x,openai/y")).rejects.toMatchObject({ code: "model.unavailable" });
  });

  test("a key in the environment is not looked at", async () => {
    process.env.OPENAI_API_KEY = "sk-from-the-environment";
    try {
      await expect(createModel("openai/gpt-5")).rejects.toMatchObject({ code: "model.unavailable" });
    } finally {
      delete process.env.OPENAI_API_KEY;
    }
  });
});

test("a port that no request may go to is refused at once, and not tried again", async () => {
  const local = { api: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" } as const;
  const asked = (await createModel("local/x", { providers: { local } })).ask(request);
  await expect(asked).rejects.toMatchObject({
    code: "model.unavailable",
    message: "local/x: http://127.0.0.1:9/v1 has a port that is reserved for another protocol",
    hint: expect.stringContaining("models.providers.local.baseUrl"),
    data: { attempts: 1 },
  });
});

test("where nothing listens, the model is unavailable and the hint names the setting", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => closed.once("listening", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const local = { api: "openai-compatible", baseUrl: `http://me:secret@127.0.0.1:${port}/v1` } as const;
  const plain = { ...local, baseUrl: `http://127.0.0.1:${port}/v1` };
  await expect((await createModel("local/x", { providers: { local: plain } })).ask(request)).rejects.toMatchObject({
    code: "model.unavailable",
    message: `local/x: no server is listening at http://127.0.0.1:${port}/v1`,
    hint: expect.stringContaining("models.providers.local.baseUrl"),
    data: { provider: "local", attempts: 1 },
  });
  const error = await (await createModel("local/x", { providers: { local }, retries: 0 })).ask(request).catch((e) => e);
  expect(error.code).toMatch(/^model\./);
  expect(`${error.message} ${error.hint} ${JSON.stringify(error.data)}`).not.toContain("secret");
});
