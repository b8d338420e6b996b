import type { FeedEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { type ChatTurn, foldChat } from "./fold-chat.ts";

const step = (type: FeedEvent["type"], data: FeedEvent["data"] = {}, eventId = "evt_1"): FeedEvent => {
  const runId = type.startsWith("event") ? null : "run_1";
  return { type, eventId, runId, data, cursor: "", at: "2026-11-18T10:00:00.000Z" };
};
const fold = (events: readonly FeedEvent[]) => events.reduce<readonly ChatTurn[]>(foldChat, []);
const received = step("event.received", { type: "message.received", text: "Hello" });

it("puts deltas together, and the message on record in their place", () => {
  const deltas = [
    received,
    step("run.started", { agent: "desk" }),
    ...["Hel", "lo"].map((text) => step("message.delta", { text })),
  ];
  expect(fold(deltas)).toMatchObject([
    { taken: "run", agent: "desk", end: null, parts: [{ text: "Hello", isDone: false }] },
  ]);
  const [turn] = fold([...deltas, step("message.completed", { text: "Hello!" }), step("run.ended", { ok: true })]);
  expect(turn).toMatchObject({ parts: [{ text: "Hello!", isDone: true }], end: { ok: true, error: null } });
  expect(turn?.parts).toHaveLength(1);
});

it("keeps tool calls in their order, also one whose beginning is not kept", () => {
  const [turn] = fold([
    received,
    step("tool.call.started", { tool_call_id: "1", tool_name: "a" }),
    step("tool.call.completed", { tool_call_id: "2", tool_name: "b", error: "no" }),
    step("tool.call.completed", { tool_call_id: "1", tool_name: "a", result: 7 }),
  ]);
  expect(turn?.parts).toMatchObject([
    { name: "a", result: 7, isDone: true },
    { name: "b", error: "no", isDone: true },
  ]);
});

it("shows a file with the first message that has it, and changes nothing for an event that it does not know", () => {
  const files = [
    { artifact_id: "art_1", name: "a.txt", mime_type: "text/plain", size_bytes: 3, sha256: "x" },
    { name: "no id" },
  ];
  const [turn, ...others] = fold([
    received,
    received,
    step("message.completed", { text: "one", artifacts: files }),
    step("message.completed", { text: "two", artifacts: files }),
    step("message.completed", { text: "of another" }, "evt_2"),
  ]);
  expect(others).toEqual([]);
  expect(turn?.parts).toMatchObject([{ files: [{ id: "art_1", name: "a.txt" }] }, { files: [] }]);
  expect(fold([received, step("feed.reset")])).toEqual([]);
});
