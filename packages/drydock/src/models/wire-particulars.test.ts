import type { ModelMessage, ProviderApi } from "@drydock/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModel, type Model, type ModelOptions } from "./index.ts";
import { ask, failureOf, KEY, openLocalModel, READ_TOOL, SHAPE } from "./testing/ask-over-wire.ts";
import { type ProviderServer, startProviderServer, type WireApi } from "./testing/provider-server.ts";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const modelOf = (api: ProviderApi, options?: ModelOptions, name?: string) => openLocalModel(server, api, options, name);

test("a provider that asks for too long a pause is given up at once", async () => {
  server.answer(() => ({ status: 429, headers: { "retry-after": "3600" } }));
  const error = await failureOf(ask(await modelOf("anthropic")));
  expect(error.data).toMatchObject({ status: 429, attempts: 1 });
});

test("an account without credit is not asked again", async () => {
  const response = {
    message: "You exceeded your current quota",
    type: "insufficient_quota",
    code: "insufficient_quota",
  };
  server.answer(() => ({ status: 429, error: response }));
  const error = await failureOf(ask(await modelOf("openai")));
  expect(error.code).toBe("model.unavailable");
  expect(server.requests).toHaveLength(1);
});

test("an unknown model is unavailable, and the hint names its address", async () => {
  server.answer(() => ({ status: 404, error: { message: "model not found" } }));
  const error = await failureOf(ask(await modelOf("openai-compatible")));
  expect(error.code).toBe("model.unavailable");
  expect(error.hint).toContain("models.providers.local.baseUrl");
});

test("a redirection is not followed, so that the key stays with its host", async () => {
  await using other = await startProviderServer();
  server.answer(() => ({ status: 307, headers: { location: `${other.baseUrl}/messages` } }));
  const error = await failureOf(ask(await modelOf("anthropic")));
  expect(error.code).toBe("model.unavailable");
  expect(other.requests).toEqual([]);
});

test("a request that takes too long as a whole is given up", async () => {
  server.answer(() => ({ hang: true }));
  const error = await failureOf(ask(await modelOf("openai", { timeoutMs: 100, retries: 1 })));
  expect(error.message).toContain("no complete answer within 0.1 s (2 attempts)");
});

test("cancelling ends the pause between two attempts", async () => {
  const controller = new AbortController();
  server.answer(() => ({ status: 500 }));
  const model = await modelOf("openai", {
    retryBaseMs: 600_000,
    retryMaxMs: 600_000,
    onRetry: () => controller.abort(),
  });
  expect((await failureOf(ask(model, { signal: controller.signal }))).code).toBe("run.cancelled");
});

test("a withheld answer is not asked for again", async () => {
  server.answer(() => ({ text: "", finish: "filtered" }));
  expect((await ask(await modelOf("openai"))).finish).toBe("filtered");
  const error = await failureOf(ask(await modelOf("openai"), { output: SHAPE }));
  expect(error.message).toContain("withheld");
  expect(server.requests).toHaveLength(2);
});

test("an answer with tool calls ends with them, also where the server says that it just stopped", async () => {
  server.queue({ toolCalls: [{ name: "read", input: "" }], finish: "stop" });
  const answer = await ask(await modelOf("openai-compatible"), { tools: [READ_TOOL] });
  expect(answer).toMatchObject({ finish: "tools", toolCalls: [{ name: "read", arguments: {} }] });
});

test("a server that takes no schemas gets them in words alone", async () => {
  server.queue({ text: 'Here it is:\n```json\n{"name":"fig"}\n```\nEnjoy!' });
  const local = { api: "openai-compatible", baseUrl: server.baseUrl, schemas: false } as const;
  const answer = await ask(await createModel("local/x", { providers: { local } }), { output: SHAPE });
  expect(answer.json).toEqual({ name: "fig" });
  expect(answer.usage.costUsd).toBeNull();
  expect(server.requests[0]?.body.response_format).toBeUndefined();
  expect(server.requests[0]?.raw).toContain("It must fit this JSON Schema");
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test.each([
  ["a model that takes a schema", "claude-sonnet-4-5", { text: '{"name":"fig"}' }],
  ["one that takes only tools", "claude-3-haiku-20240307", { toolCalls: [{ name: "json", input: '{"name":"fig"}' }] }],
])("Anthropic gives a shape: %s", async (_, name, reply) => {
  server.queue(reply);
  const answer = await ask(await modelOf("anthropic", {}, name), { output: SHAPE });
  expect(answer).toMatchObject({ json: { name: "fig" }, toolCalls: [] });
  expect(server.requests[0]?.body).toHaveProperty(name.startsWith("claude-3") ? "tools" : "output_config");
});

test("a loop of tools marks its beginning for Anthropic's cache", async () => {
  server.answer(() => ({ text: "ok" }));
  const model = await modelOf("anthropic");
  const call = { id: "toolu_1", name: "read", arguments: {} };
  const messages: ModelMessage[] = [
    { role: "user", text: "Hello" },
    { role: "assistant", text: "", toolCalls: [call] },
    { role: "tool", callId: call.id, name: call.name, text: "print(41)", failed: true },
  ];
  await ask(model, { tools: [READ_TOOL] });
  await ask(model, { tools: [READ_TOOL], messages });
  for (const { raw } of server.requests) expect(raw.match(/"cache_control"/g)).toHaveLength(2);
  expect(server.requests[1]?.raw).toContain('"is_error":true');
});

test("nothing that OpenAI would keep by itself is kept there", async () => {
  server.queue({ text: "ok" });
  await ask(await modelOf("openai-responses"));
  expect(server.requests[0]?.body.store).toBe(false);
});

describe("fallbacks", () => {
  async function twoModels(second: WireApi = "messages", key: string | undefined = KEY): Promise<Model> {
    const providers = {
      first: { api: "openai", baseUrl: server.baseUrl, key, keyVariable: "FIRST_KEY" },
      second: { api: second === "messages" ? "anthropic" : "openai", baseUrl: server.baseUrl, key: KEY },
    } as const;
    return createModel("first/a, second/b", { providers, retries: 1, retryBaseMs: 1 });
  }

  test("the next model answers where the first keeps failing, and says so", async () => {
    server.answer(({ api }) => (api === "chat" ? { status: 500 } : { text: "from the second" }));
    const model = await twoModels();
    expect(model.id).toBe("first/a,second/b");
    expect(await ask(model)).toMatchObject({ model: "second/b", text: "from the second" });
    expect(server.requests.map(({ api }) => api)).toEqual(["chat", "chat", "messages"]);
  });

  test("a model without a key is passed over while there is another", async () => {
    server.answer(() => ({ text: "ok" }));
    expect((await ask(await twoModels("messages", ""))).model).toBe("second/b");
    expect(server.requests).toHaveLength(1);
  });

  test("where all fail, the error tells of each", async () => {
    server.answer(({ api }) => (api === "chat" ? { status: 401 } : { status: 400, error: { message: "too long" } }));
    const error = await failureOf(ask(await twoModels()));
    expect(error.code).toBe("model.failed");
    expect(error.data.tried).toMatchObject([
      { model: "first/a", code: "model.unavailable", status: 401 },
      { model: "second/b", code: "model.failed", status: 400 },
    ]);
  });

  test("cancelling asks no other model", async () => {
    const controller = new AbortController();
    server.queue({ text: "half of this", midway: "hang" });
    const promise = ask(await twoModels(), { signal: controller.signal, onText: () => controller.abort() });
    expect((await failureOf(promise)).code).toBe("run.cancelled");
    expect(server.requests).toHaveLength(1);
  });
});
