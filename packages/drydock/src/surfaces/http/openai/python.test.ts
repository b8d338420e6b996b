import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { openTestServer } from "../testing/open-test-server.ts";
import { script } from "./testing/script.ts";

const PROGRAM = fileURLToPath(new URL("testing/python_client.py", import.meta.url));
const place = openTestServer({ script });

interface Whole {
  status: number;
  type: string;
  body: Record<string, unknown>;
}
interface Pieces {
  status: number;
  type: string;
  chunks: Record<string, unknown>[];
  done: boolean;
  error: unknown;
}
interface Reply {
  models: Whole;
  chat: Whole;
  pieces: Pieces;
  tools: { asked: Pieces; call: { id: string; name: string; arguments: string }; answered: Pieces };
  response: Whole;
  events: Pieces;
  response_tools: { asked: Pieces; answered: Whole };
  stranger: Whole;
  unknown: Whole;
  failed: Pieces;
  failed_events: Pieces;
  after: Whole;
}

const textOf = ({ chunks }: Pieces) => chunks.map((chunk) => Object(chunk).choices?.[0]?.delta?.content ?? "").join("");

describe("OpenAI's protocol as its Python client speaks it", () => {
  let reply: Reply;
  beforeAll(async () => {
    const { port, token } = place.server;
    const { stdout } = await promisify(execFile)("python3", [PROGRAM, "127.0.0.1", String(port), token ?? ""]);
    reply = JSON.parse(stdout) as Reply;
  });

  it("chats, whole and in pieces, over one connection", () => {
    expect(reply.models).toMatchObject({ status: 200, body: { object: "list", data: [{ id: "scripted" }] } });
    const choice = {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: "Hello from the script." },
    };
    expect(reply.chat).toMatchObject({ status: 200, body: { object: "chat.completion", choices: [choice] } });
    expect(reply.chat.type).toMatch(/^application\/json/);
    expect(reply.pieces).toMatchObject({ status: 200, done: true, error: null });
    expect(reply.pieces.type).toMatch(/^text\/event-stream/);
    expect(textOf(reply.pieces)).toBe("Hello from the script.");
    const ids = new Set(reply.pieces.chunks.map(({ id }) => id));
    expect(ids.size).toBe(1);
    for (const chunk of reply.pieces.chunks) expect(chunk).toMatchObject({ object: "chat.completion.chunk" });
    expect(reply.pieces.chunks.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: "stop" }] });
    expect(reply.pieces.chunks.some(({ usage }) => usage !== undefined)).toBe(false);
  });

  it("puts a tool call together from pieces, with the usage at the end, and tells its result", () => {
    const { asked, call, answered } = reply.tools;
    expect(call).toMatchObject({ name: "weather", arguments: '{"city":"Rome"}' });
    expect(call.id).not.toBe("");
    const [finish, usage] = asked.chunks.slice(-2);
    expect(finish).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
    expect(usage).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(asked.done).toBe(true);
    expect(textOf(answered)).toBe("Warm: 21 degrees.");
  });

  it("has responses, whole and as numbered events, with tool calls", () => {
    const message = {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "Hello from the script." }],
    };
    expect(reply.response).toMatchObject({ status: 200, body: { status: "completed", output: [message] } });
    const { chunks } = reply.events;
    expect(chunks.map(({ sequence_number }) => sequence_number)).toEqual(chunks.map((_, index) => index));
    expect(chunks[0]).toMatchObject({ type: "response.created" });
    expect(chunks.at(-1)).toMatchObject({ type: "response.completed", response: { output: [message] } });
    const deltas = chunks.filter(({ type }) => type === "response.output_text.delta");
    expect(deltas.map(({ delta }) => delta).join("")).toBe("Hello from the script.");
    const { asked, answered } = reply.response_tools;
    expect(asked.chunks.at(-1)).toMatchObject({
      response: { output: [{ type: "function_call", name: "weather", arguments: '{"city":"Rome"}' }] },
    });
    expect(answered.body).toMatchObject({ output: [{ content: [{ text: "Warm: 21 degrees." }] }] });
  });

  it("is told what is wrong where the client looks for it, and goes on over the same connection", () => {
    const fault = { message: expect.any(String), code: expect.any(String) };
    expect(reply.stranger).toMatchObject({ status: 401, body: { error: fault } });
    expect(reply.unknown).toMatchObject({ status: 404, body: { error: { ...fault, param: "model" } } });
    expect(reply.failed).toMatchObject({ error: { code: "model.failed" } });
    const events = reply.failed_events.chunks.map(({ type }) => type);
    expect(events).toContain("response.failed");
    expect(events.at(-1)).toBe("error");
    expect(reply.after.status).toBe(200);
  });
});
