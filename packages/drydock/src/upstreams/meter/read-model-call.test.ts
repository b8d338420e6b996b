import type { UpstreamApi } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { readModelCall } from "./read-model-call.ts";

function read(api: UpstreamApi, path: string, body: object | Buffer, encoding?: string) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return readModelCall(api, path.slice(1).split("/"), bytes, encoding);
}

function readCall(api: UpstreamApi, path: string, body: object) {
  const found = read(api, path, body);
  if (found.kind !== "call") throw new Error(`it is ${found.kind}`);
  const { call } = found;
  const write = (maxOutputTokens: number) =>
    JSON.parse(String(call.write({ maxOutputTokens, withUsage: call.needsUsage })));
  return { ...call, write };
}

const CHAT = "/v1/chat/completions";
const GENERATE = "/v1beta/models/g-1:generateContent";

describe("a request to a model", () => {
  it("has a limit of its answer, which can be lowered", () => {
    const chat = readCall("openai", CHAT, { model: "m", stream: true, max_tokens: 50, extra: { kept: true } });
    expect(chat).toMatchObject({ model: "m", maxOutputTokens: 50, needsUsage: true, isStreamed: true });
    expect(chat.write(9)).toEqual({
      ...{ model: "m", stream: true, max_tokens: 9, extra: { kept: true } },
      stream_options: { include_usage: true },
    });
    expect(readCall("openai", "/v1/responses", { model: "m" }).write(9)).toEqual({ model: "m", max_output_tokens: 9 });
    expect(readCall("openai", "/v1/embeddings", { model: "m", input: "x" })).toMatchObject({ maxOutputTokens: 0 });
    expect(readCall("gemini", GENERATE, {}).write(9)).toEqual({ generationConfig: { maxOutputTokens: 9 } });
  });

  it.each<[string, UpstreamApi, string, object, number, object]>([
    [
      "two names of the limit",
      ...(["openai", CHAT, { model: "m", max_tokens: 1, max_completion_tokens: 90_000 }, 90_000] as const),
      { model: "m", max_tokens: 100, max_completion_tokens: 100 },
    ],
    [
      "many alternatives",
      ...(["openai", CHAT, { model: "m", max_tokens: 1000, n: 50 }, 50_000] as const),
      { model: "m", max_tokens: 2, n: 50 },
    ],
    [
      "a number as text",
      ...(["openai", CHAT, { model: "m", max_tokens: "90000" }, 90_000] as const),
      { model: "m", max_tokens: 100 },
    ],
    [
      "the other spelling",
      ...([
        "gemini",
        GENERATE,
        { generation_config: { max_output_tokens: 9e4, candidate_count: 2 } },
        180_000,
      ] as const),
      { generation_config: { max_output_tokens: 50, candidate_count: 2 } },
    ],
    [
      "both spellings",
      ...(["gemini", GENERATE, { generationConfig: { maxOutputTokens: 1 }, generation_config: {} }, 1] as const),
      { generationConfig: { maxOutputTokens: 100 }, generation_config: { maxOutputTokens: 100 } },
    ],
  ])("can't understate its answer: %s", (_name, api, path, body, tokens, written) => {
    const call = readCall(api, path, body);
    expect(call.maxOutputTokens).toBe(tokens);
    expect(call.write(100)).toEqual(written);
  });

  it("is one without a name of the model, and where its path was encoded", () => {
    expect(readCall("openai", CHAT, { messages: [] })).toMatchObject({ model: "unnamed" });
    // The segments are without their encoding: `g-1%3AgenerateContent` is the same.
    expect(readCall("gemini", "/v1beta/models/g-1:streamGenerateContent", {})).toMatchObject({
      ...{ model: "g-1", isStreamed: true },
    });
    expect(readCall("gemini", "/v1beta/models/a:b:generateContent", {})).toMatchObject({ model: "a:b" });
  });

  it("can't be read where it is compressed, in another encoding or no object", () => {
    const body = { model: "m" };
    const unreadable = { kind: "unreadable" };
    expect(read("openai", CHAT, body, "gzip")).toEqual(unreadable);
    expect(read("openai", CHAT, Buffer.from(JSON.stringify(body), "utf16le"))).toEqual(unreadable);
    expect(read("gemini", GENERATE, [])).toEqual(unreadable);
    expect(read("anthropic", "/v1/messages", Buffer.from("\ufeff{}"))).toEqual(unreadable);
  });

  it("is something else elsewhere, which costs nothing", () => {
    expect(read("openai", "/v1/audio/transcriptions", Buffer.from("--form"))).toEqual({ kind: "free" });
    expect(read("anthropic", "/v1/messages/count_tokens", { model: "m" })).toEqual({ kind: "free" });
    expect(read("gemini", "/v1beta/models/g-1:countTokens", {})).toEqual({ kind: "free" });
    expect(read("openai", "/v1/images/generations", { model: "m" })).toMatchObject({ kind: "call" });
  });
});
