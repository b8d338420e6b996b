import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { readModelCall } from "./read-model-call.ts";
import { watchAnswer } from "./watch-answer.ts";

async function watch(type: string, body: string, size = 10) {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const watched = watchAnswer(type, true);
  return { passed: await text(Readable.from(chunks).pipe(watched.stream)), usage: watched.usage() };
}

const events = (...values: unknown[]) => values.map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`).join("");

it.each([
  ["chat", { usage: { prompt_tokens: 7, completion_tokens: 3 } }, { input: 7, output: 3, cacheRead: 0 }],
  ["embeddings", { usage: { prompt_tokens: 7, total_tokens: 7 } }, { input: 7, output: 0 }],
  [
    "responses",
    { usage: { input_tokens: 7, output_tokens: 3, input_tokens_details: { cached_tokens: 2 } } },
    { input: 7, output: 3, cacheRead: 2 },
  ],
  [
    "messages",
    { usage: { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 4 } },
    { input: 16, output: 3, cacheRead: 5, cacheWrite: 4 },
  ],
  [
    "gemini",
    { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 2, thoughtsTokenCount: 1 } },
    { input: 7, output: 3 },
  ],
])("reads the usage of %s", async (_name, value, usage) => {
  expect((await watch("application/json", JSON.stringify(value))).usage).toMatchObject(usage);
  const streamed = await watch("text/event-stream; charset=utf-8", events({ type: "x" }, value));
  expect(streamed.usage).toMatchObject(usage);
});

it("reads the usage of a response that is streamed from its last event", async () => {
  const last = {
    type: "response.completed",
    response: { usage: { input_tokens: 9, output_tokens: 4, input_tokens_details: {} } },
  };
  expect((await watch("text/event-stream", events({ type: "response.created" }, last))).usage).toMatchObject({
    input: 9,
    output: 4,
  });
});

it("leaves out the event that nobody asked for, and passes all others on as they came", async () => {
  const first = events({ choices: [{ delta: { content: "é" } }] });
  const body = `: a comment\n\n${first}${events({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })}data: [DONE]\n\n`;
  expect(await watch("text/event-stream", body)).toEqual({
    passed: `: a comment\n\n${first}data: [DONE]\n\n`,
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  });
});

it.each(["not json", "[1, 2", '{"usage":{"prompt_tokens":-5,"completion_tokens":"9"}}', '{"usage":null}'])(
  "knows nothing of an answer that says nothing: %s",
  async (body) => expect((await watch("application/json", body)).usage?.input ?? 0).toBe(0),
);

it("reads the limit of an answer, and writes another", () => {
  const read = (path: string, body: object) => readModelCall("openai", path, Buffer.from(JSON.stringify(body)));
  const chat = read("/v1/chat/completions", { model: "m", stream: true, max_tokens: 50, extra: { kept: true } });
  expect(chat).toMatchObject({ model: "m", maxOutputTokens: 50, needsUsage: true, isStreamed: true });
  expect(JSON.parse(String(chat?.write({ maxOutputTokens: 9, withUsage: true })))).toEqual({
    ...{ model: "m", stream: true, max_tokens: 9, extra: { kept: true } },
    stream_options: { include_usage: true },
  });
  const response = read("/v1/responses", { model: "m" });
  expect(JSON.parse(String(response?.write({ maxOutputTokens: 9, withUsage: false })))).toEqual({
    model: "m",
    max_output_tokens: 9,
  });
  expect(read("/v1/embeddings", { model: "m", input: "x" })).toMatchObject({ maxOutputTokens: 0 });
  expect(read("/v1/chat/completions", { messages: [] })).toBeNull();
});
