import type { EventType, RunEvent } from "@drydock/protocol";
import { expect, test } from "vitest";
import { foldEvents } from "./fold-events.ts";

function toEvents(list: readonly (readonly [EventType, Record<string, unknown>])[]): RunEvent[] {
  return list.map(([type, data], seq) => ({
    ...{ runId: "run_1", seq, type, data, prevHash: "", hash: "" },
    at: `2026-01-01T00:00:0${seq % 10}.000Z`,
  }));
}

const asked = (key: string, task: string | null) =>
  ["model.asked", { key, step: "work", task, model: "a/b", scripted: false, prompt: "art_1" }] as const;
const answered = (key: string, task: string | null, costUsd: number | null = 0.5) => {
  const usage = { inputTokens: 10, outputTokens: 1, cachedInputTokens: 0, costUsd };
  return [
    "model.answered",
    { key, step: "work", task, model: "a/c", answer: key, usage, summary: "", durationMs: 1 },
  ] as const;
};

test("an answer belongs to the request with its key, also where the request failed before and was made again", () => {
  const view = foldEvents(
    toEvents([
      ["attempt.started", { task: "t", attempt: 1, baseHash: "b", on: [] }],
      asked("t/a1/answer/1", "t"),
      ["model.failed", { key: "t/a1/answer/1", task: "t", error: { message: "busy" } }],
      answered("t/a1/answer/1", "t"),
      asked("t/a1/answer/2", "t"),
      ["model.failed", { key: "t/a1/answer/2", task: "t", error: { message: "gone" } }],
    ]),
  );
  const [first, second] = view.tasks.get("t")?.attempts[0]?.asks ?? [];
  expect(first).toMatchObject({ answer: "t/a1/answer/1", failure: null, model: "a/c" });
  expect(second).toMatchObject({ answer: null, failure: "gone" });
  expect(view).toMatchObject({ models: ["a/c"], usage: { calls: 1, inputTokens: 10, costUsd: 0.5 }, baseHash: "b" });
});

test("a price that nobody knows makes the cost unknown, not smaller", () => {
  const view = foldEvents(
    toEvents([asked("p", null), answered("p", null), asked("q", null), answered("q", null, null)]),
  );
  expect(view.usage).toMatchObject({ calls: 2, costUsd: null });
  expect(view.planning).toHaveLength(2);
});

test("a task that is done again keeps what was tried before, with the same numbers", () => {
  const attempt = (verdict: string) =>
    [
      ["attempt.started", { task: "t", attempt: 1, baseHash: "b", on: [] }],
      ["task.verified", { task: "t", attempt: 1, verdict, treeHash: "x", verification: verdict }],
    ] as const;
  const view = foldEvents(
    toEvents([
      ["task.started", { task: "t" }],
      ...attempt("failed"),
      ["task.failed", { task: "t", reason: "used up" }],
      ["task.reset", { task: "t", reason: "asked" }],
      ["task.started", { task: "t" }],
      ...attempt("passed"),
      ["task.done", { task: "t", reason: "" }],
    ]),
  );
  expect(view.tasks.get("t")).toMatchObject({
    status: "done",
    attempts: [
      { number: 1, round: 1, verdict: "failed" },
      { number: 1, round: 2, verdict: "passed" },
    ],
  });
});

test("a task that was added later is told with what it is to do", () => {
  const added = { id: "extra", title: "More", checks: [{ type: "file_exists", path: "a" }] };
  const view = foldEvents(toEvents([["task.added", { task: "extra", added }]]));
  expect(view.tasks.get("extra")).toMatchObject({ status: "todo", planned: { title: "More", attempts: 3 } });
});
