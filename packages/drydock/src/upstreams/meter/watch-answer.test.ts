import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
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
