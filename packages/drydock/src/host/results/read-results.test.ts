import { describe, expect, it } from "vitest";
import { createResultReader } from "./read-results.ts";

const open = (expectsReply = true) => createResultReader({ runId: "run_1", expectsReply });
const delta = (content: string) => ({ type: "message.delta", data: { chunk: { content } } });
const message = (content: string) => ({ type: "message.completed", data: { message: { content } } });
const completed = (content?: string) => ({
  type: "run.completed",
  data: { finish_reason: "stop", ...(content !== undefined && { message: { content } }) },
});
const kinds = (steps: { kind: string }[]) => steps.map(({ kind }) => kind);

describe("the end of a run", () => {
  it("comes once, and what follows is dropped", () => {
    const reader = open();
    reader.take(message("a"));
    expect(kinds(reader.take(completed()))).toEqual(["end"]);
    expect(kinds(reader.take(completed()))).toEqual(["warning"]);
    expect(kinds(reader.take(message("b")))).toEqual(["warning"]);
    expect(reader.finish()).toEqual([]);
  });

  it("joins deltas that were never completed into one message", () => {
    const reader = open();
    for (const word of ["a", "b"]) reader.take(delta(word));
    expect(reader.finish()).toMatchObject([
      { kind: "message", message: { content: "ab" } },
      { end: { kind: "completed" } },
    ]);
  });

  it("joins no more deltas than one message may have", () => {
    const reader = open();
    const steps = Array.from({ length: 20 }, () => reader.take(delta("x".repeat(900_000)))).flat();
    expect(kinds(steps).filter((kind) => kind === "delta")).toHaveLength(20);
    expect(kinds(steps).filter((kind) => kind === "warning")).toHaveLength(1);
    expect(reader.finish()).toMatchObject([
      { kind: "message", message: { content: `${"x".repeat(900_000)}..[truncated]` } },
      { end: { kind: "completed" } },
    ]);
  });

  it("does not deliver the message of run.completed a second time", () => {
    const reader = open();
    reader.take(message("a"));
    expect(kinds(reader.take(completed("a")))).toEqual(["end"]);
    expect(kinds(open().take(completed("only")))).toEqual(["message", "end"]);
  });

  it("without a message is a failure only where a reply is expected", () => {
    expect(open().finish()).toMatchObject([{ end: { kind: "failed", code: "runner.no_output" } }]);
    expect(open(false).finish()).toMatchObject([{ end: { kind: "completed" } }]);
  });

  it("keeps what was streamed before the channel broke", () => {
    const reader = open();
    reader.take(delta("half"));
    const fault = { code: "runner.channel_lost", message: "gone", retryable: true } as const;
    expect(reader.finish(fault)).toMatchObject([{ message: { content: "half" } }, { end: { code: fault.code } }]);
  });
});

describe("a result", () => {
  it.each([
    ["without a type", { data: {} }],
    ["that is no object", "text"],
    ["of another run", { ...message("a"), run_id: "run_2" }],
    [
      "with content that is not base64",
      { type: "artifact.created", data: { artifact_type: "f", content_base64: "!" } },
    ],
    [
      "with too much content",
      {
        type: "artifact.created",
        data: { artifact_type: "f", content_base64: Buffer.alloc(1024 * 1024 + 1).toString("base64") },
      },
    ],
  ])("%s ends the run with runner.protocol", (_name, result) => {
    expect(open().take(result)).toMatchObject([{ kind: "end", end: { code: "runner.protocol" } }]);
  });

  it.each([
    ["of an unknown type", { type: "message.painted" }],
    ["whose payload is not valid", { type: "message.delta", data: { chunk: 3 } }],
    ["with a state that has no key", { type: "state.updated", data: { scope: "actor", value: 1 } }],
  ])("%s is dropped with a warning", (_name, result) => {
    const reader = open();
    expect(kinds(reader.take(result))).toEqual(["warning"]);
    expect(reader.hasEnded).toBe(false);
  });

  it("that came twice is applied once; a gap is only complained about", () => {
    const reader = open();
    expect(kinds(reader.take({ ...delta("a"), sequence: 1 }))).toEqual(["delta"]);
    expect(kinds(reader.take({ ...delta("a"), sequence: 1 }))).toEqual(["warning"]);
    expect(kinds(reader.take({ ...delta("b"), sequence: 4 }))).toEqual(["warning", "delta"]);
    expect(kinds(reader.take({ ...delta("c"), sequence: "x" }))).toEqual(["warning", "delta"]);
  });

  it("that is too large keeps its type and loses its end", () => {
    const [note, step] = open().take(message("x".repeat(2 * 1024 * 1024)));
    expect(note?.kind).toBe("warning");
    expect(step).toMatchObject({ kind: "message", message: { content: `${"x".repeat(10_000)}..[truncated]` } });
  });
});
