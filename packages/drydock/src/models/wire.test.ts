import { type ModelMessage, ProviderApi } from "@drydock/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ModelOptions } from "./index.ts";
import { ask, failureOf, KEY, openLocalModel, READ_TOOL, SHAPE } from "./testing/ask-over-wire.ts";
import { ENDPOINT_OF, type ProviderServer, startProviderServer } from "./testing/provider-server.ts";

const WIRES = ProviderApi.options.map((api) => [api, ENDPOINT_OF[api]] as const);
let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const modelOf = (api: ProviderApi, options?: ModelOptions, name?: string) => openLocalModel(server, api, options, name);

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
    expect(server.requests[1]?.raw).toContain("it is not valid JSON");
    expect(server.requests[2]?.raw).toContain("lacks name");
    expect(server.requests[2]?.raw).toContain("/colour is not allowed");
    expect(server.requests[2]?.raw).toContain("/weight must have type");
  });

  test("after too many answers without the shape it fails, and shows what came", async () => {
    server.answer(() => ({ text: "Sorry, no." }));
    const error = await failureOf(ask(await modelOf(api, { corrections: 1 }), { output: SHAPE }));
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
    const error = await failureOf(ask(await modelOf(api, { retries: 2 })));
    expect(error.code).toBe("model.failed");
    expect(error.message).toContain("HTTP 503: no room for");
    expect(error.data).toMatchObject({ provider: "local", status: 503, attempts: 3 });
  });

  test("a refused key is not tried again, and the hint names its variable", async () => {
    server.answer(() => ({ status: 401, error: { message: `Incorrect API key provided: ${KEY}` } }));
    const error = await failureOf(ask(await modelOf(api)));
    expect(error.code).toBe("model.unavailable");
    expect(error.hint).toContain("LOCAL_KEY");
    expect(error.hint).toContain("drydock run --model repair");
    expect(error.data).toMatchObject({ status: 401, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test("cancelling ends a request in the middle", async () => {
    server.queue({ text: "half of this", midway: "hang" });
    const controller = new AbortController();
    const promise = ask(await modelOf(api), { signal: controller.signal, onText: () => controller.abort() });
    expect((await failureOf(promise)).code).toBe("run.cancelled");
  });
});
