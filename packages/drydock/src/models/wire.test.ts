import { DrydockError, type ModelMessage, type ProviderApi } from "@drydock/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createModel, type Model, type ModelOptions, type ModelRequest } from "./index.ts";
import { type ProviderServer, startProviderServer, type WireApi } from "./testing/provider-server.ts";

/** Looks like no key: it has to be recognised by itself. */
const KEY = "plainsecret0123456789";
const WIRES: [api: ProviderApi, wire: WireApi][] = [
  ["openai-compatible", "chat"],
  ["openai", "chat"],
  ["openai-responses", "responses"],
  ["anthropic", "messages"],
];
const SHAPE = {
  name: "Fruit",
  schema: {
    type: "object",
    properties: { name: { type: "string" }, weight: { type: "number" } },
    required: ["name"],
    additionalProperties: false,
  },
};
const READ_TOOL = {
  name: "read",
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

function modelOf(api: ProviderApi, options: ModelOptions = {}, name = "some-model"): Promise<Model> {
  const local = { api, baseUrl: server.baseUrl, key: KEY, keyVariable: "LOCAL_KEY" };
  return createModel(`local/${name}`, {
    providers: { local },
    prices: { "local/some-model": { input: 1, output: 10, cachedInput: 0.5 } },
    retryBaseMs: 1,
    ...options,
  });
}

function ask(model: Model, request: Partial<ModelRequest> = {}) {
  return model.ask({ step: "chat", system: "Be brief.", messages: [{ role: "user", text: "Hello" }], ...request });
}

async function failure(promise: Promise<unknown>): Promise<DrydockError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DrydockError)) throw new Error(`no coded error: ${String(error)}`);
  const shown = JSON.stringify([error.message, error.hint, error.data, error.stack, String(error.cause)]);
  expect(shown).not.toContain(KEY);
  expect(shown.toLowerCase()).not.toContain("authorization");
  return error;
}

describe.each(WIRES)("over %s", (api, wire) => {
  test("text comes in pieces, with who answered, what was used and what it cost", async () => {
    server.queue({ text: "Hello there", tokens: { input: 1000, output: 50, cached: 400 } });
    const pieces: string[] = [];
    const answer = await ask(await modelOf(api), { onText: (text) => pieces.push(text), maxOutputTokens: 99 });
    expect(answer).toEqual({
      model: "local/some-model",
      text: "Hello there",
      toolCalls: [],
      finish: "stop",
      usage: { inputTokens: 1000, outputTokens: 50, cachedInputTokens: 400, costUsd: expect.closeTo(0.0013, 9) },
    });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join("")).toBe("Hello there");
    expect(server.requests[0]?.api).toBe(wire);
    expect(server.requests[0]?.raw).toContain("Be brief.");
    expect(server.requests[0]?.raw).toContain("99");
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
  });

  test("tool calls come with their arguments, and their results go back", async () => {
    server.queue({ text: "Let me look.", toolCalls: [{ name: "read", input: '{"path":"a.py"}' }] }, { text: "Done" });
    const model = await modelOf(api);
    const first = await ask(model, { tools: [READ_TOOL] });
    expect(first).toMatchObject({ text: "Let me look.", finish: "tools" });
    expect(first.toolCalls).toEqual([{ id: expect.any(String), name: "read", arguments: { path: "a.py" } }]);
    const callId = first.toolCalls[0]?.id ?? "";
    const messages: ModelMessage[] = [
      { role: "user", text: "Hello" },
      { role: "assistant", text: first.text, toolCalls: first.toolCalls },
      { role: "tool", callId, name: "read", text: "print(41)", failed: false },
    ];
    expect((await ask(model, { tools: [READ_TOOL], messages })).text).toBe("Done");
    expect(server.requests[1]?.raw).toContain("print(41)");
    expect(server.requests[1]?.raw).toContain(callId);
    expect(server.requests[1]?.raw).toContain("Reads a file");
  });

  test("a malformed tool call is sent back to the model with the reason, and nothing of that answer is executed", async () => {
    const good = { name: "read", input: '{"path":"b"}' };
    server.queue(
      { toolCalls: [good, { name: "read", input: '{"path": "a' }] },
      { toolCalls: [{ name: "read", input: '{"path":"a"}' }] },
    );
    const answer = await ask(await modelOf(api), { tools: [READ_TOOL] });
    expect(answer.toolCalls.map((call) => call.arguments)).toEqual([{ path: "a" }]);
    expect(answer.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.raw).toContain("the arguments must be one JSON object");
    expect(server.requests[1]?.raw).toContain("another call of the same answer was malformed");
  });

  test("a shape that was asked for comes as JSON, and the schema goes with the request", async () => {
    server.queue({ text: '{"name":"apple","weight":3}' });
    const answer = await ask(await modelOf(api), { output: SHAPE });
    expect(answer.json).toEqual({ name: "apple", weight: 3 });
    expect(server.requests[0]?.raw).toContain("additionalProperties");
    // Strict schemas may have no optional properties; ours have.
    expect(server.requests[0]?.raw).not.toContain('"strict":true');
  });

  test("an answer that is no JSON, then one that does not fit, are sent back with the reasons", async () => {
    server.queue({ text: "An apple, of course!" }, { text: '{"weight":"3","colour":1}' }, { text: '{"name":"apple"}' });
    const answer = await ask(await modelOf(api), { output: SHAPE });
    expect(answer.json).toEqual({ name: "apple" });
    expect(server.requests[1]?.raw).toContain("it is no JSON");
    expect(server.requests[2]?.raw).toContain("lacks name");
    expect(server.requests[2]?.raw).toContain("/colour is not allowed");
    expect(server.requests[2]?.raw).toContain("/weight must have type");
  });

  test("after too many answers without the shape it fails, and shows what came", async () => {
    server.answer(() => ({ text: "Sorry, no." }));
    const error = await failure(ask(await modelOf(api, { corrections: 1 }), { output: SHAPE }));
    expect(error.code).toBe("model.failed");
    expect(error.message).toContain("Sorry, no.");
    expect(error.data).toMatchObject({
      model: "local/some-model",
      provider: "local",
      attempts: 2,
      answer: "Sorry, no.",
      usage: { inputTokens: 200, outputTokens: 40 },
    });
  });

  test("faults that pass are ridden out: 429 with retry-after, 500, a broken stream, one that ends early, one that fails", async () => {
    server.queue(
      { status: 429, headers: { "retry-after": "0" } },
      { status: 500 },
      { text: "half of this", midway: "break" },
      { text: "half of that", midway: "end" },
      { text: "half of it", midway: "error" },
      { text: "whole" },
    );
    const reasons: string[] = [];
    const model = await modelOf(api, { retries: 5, onRetry: ({ reason }) => reasons.push(reason) });
    const answer = await ask(model);
    expect(answer.text).toBe("whole");
    expect(reasons.map((reason) => reason.slice(0, 8))).toEqual([
      "HTTP 429",
      "HTTP 500",
      "the stre",
      "the stre",
      expect.any(String),
    ]);
    // What the broken ones used is estimated and counted.
    expect(answer.usage.inputTokens).toBeGreaterThan(100);
  });

  test("a connection that hangs is given up, before the answer and in the middle of it", async () => {
    server.queue({ hang: true }, { text: "half of this", midway: "hang" }, { text: "whole" });
    const answer = await ask(await modelOf(api, { idleMs: 150, retries: 2 }));
    expect(answer.text).toBe("whole");
    expect(server.requests).toHaveLength(3);
  });

  test("what keeps failing fails, with status and attempts", async () => {
    server.answer(() => ({ status: 503, error: { message: `no room for Bearer ${KEY}` } }));
    const error = await failure(ask(await modelOf(api, { retries: 2 })));
    expect(error.code).toBe("model.failed");
    expect(error.message).toContain("HTTP 503: no room for");
    expect(error.data).toMatchObject({ provider: "local", status: 503, attempts: 3 });
  });

  test("a refused key is not tried again, and the hint names its variable", async () => {
    server.answer(() => ({ status: 401, error: { message: `Incorrect API key provided: ${KEY}` } }));
    const error = await failure(ask(await modelOf(api)));
    expect(error.code).toBe("model.unavailable");
    expect(error.hint).toContain("LOCAL_KEY");
    expect(error.data).toMatchObject({ status: 401, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test("cancelling ends a request in the middle", async () => {
    server.queue({ text: "half of this", midway: "hang" });
    const controller = new AbortController();
    const promise = ask(await modelOf(api), { signal: controller.signal, onText: () => controller.abort() });
    expect((await failure(promise)).code).toBe("run.cancelled");
  });
});

test("a provider that asks for too long a pause is given up at once", async () => {
  server.answer(() => ({ status: 429, headers: { "retry-after": "3600" } }));
  const error = await failure(ask(await modelOf("anthropic")));
  expect(error.data).toMatchObject({ status: 429, attempts: 1 });
});

test("an account without credit is not asked again", async () => {
  const said = { message: "You exceeded your current quota", type: "insufficient_quota", code: "insufficient_quota" };
  server.answer(() => ({ status: 429, error: said }));
  const error = await failure(ask(await modelOf("openai")));
  expect(error.code).toBe("model.unavailable");
  expect(server.requests).toHaveLength(1);
});

test("an unknown model is unavailable, and the hint names its address", async () => {
  server.answer(() => ({ status: 404, error: { message: "model not found" } }));
  const error = await failure(ask(await modelOf("openai-compatible")));
  expect(error.code).toBe("model.unavailable");
  expect(error.hint).toContain("models.providers.local.baseUrl");
});

test("a redirection is not followed, so that the key stays with its host", async () => {
  await using other = await startProviderServer();
  server.answer(() => ({ status: 307, headers: { location: `${other.baseUrl}/messages` } }));
  const error = await failure(ask(await modelOf("anthropic")));
  expect(error.code).toBe("model.unavailable");
  expect(other.requests).toEqual([]);
});

test("a request that takes too long as a whole is given up", async () => {
  server.answer(() => ({ hang: true }));
  const error = await failure(ask(await modelOf("openai", { timeoutMs: 100, retries: 1 })));
  expect(error.message).toContain("no whole answer within 0.1 s (2 attempts)");
});

test("cancelling ends the pause between two attempts", async () => {
  const controller = new AbortController();
  server.answer(() => ({ status: 500 }));
  const model = await modelOf("openai", {
    retryBaseMs: 600_000,
    retryMaxMs: 600_000,
    onRetry: () => controller.abort(),
  });
  expect((await failure(ask(model, { signal: controller.signal }))).code).toBe("run.cancelled");
});

test("a withheld answer is not asked for again", async () => {
  server.answer(() => ({ text: "", finish: "filtered" }));
  expect((await ask(await modelOf("openai"))).finish).toBe("filtered");
  const error = await failure(ask(await modelOf("openai"), { output: SHAPE }));
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
    const error = await failure(ask(await twoModels()));
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
    expect((await failure(promise)).code).toBe("run.cancelled");
    expect(server.requests).toHaveLength(1);
  });
});
