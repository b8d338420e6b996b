import type { RunEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { compareRuns } from "./compare-runs.ts";

const event = (type: RunEvent["type"], data: Record<string, unknown>): RunEvent =>
  ({ runId: "run_1", seq: 0, at: "2026-01-01T00:00:00.000Z", type, data, hash: "" }) as RunEvent;
const planned = event("plan.accepted", { key: "plan", plan: { goal: "x", tasks: [] } });
const done = event("task.done", { key: "fix" });
const end = (error?: object) =>
  event(error ? "run.failed" : "run.succeeded", { verdict: "passed", treeHash: null, error });

it("says that a replay ended before a recorded step, and why", () => {
  const error = { code: "model.failed", message: "The record has no answer left.", hint: "" };
  const [first] = compareRuns([planned, done, end()], [end(error)]);
  expect(first).toEqual({
    ...{ step: "plan", what: "the step", recorded: "plan.accepted plan" },
    replayed: "The replay ended before this step: The record has no answer left. (model.failed)",
  });
});

it("does not blame the end of a replay that ended as the recorded run did", () => {
  const error = { code: "goal.attempts", message: "No attempt passed.", hint: "" };
  const found = compareRuns([planned, done, end(error)], [planned, end(error)]);
  expect(found.map(({ replayed }) => replayed)).toEqual(["The replay has no such step."]);
  const more = compareRuns([planned, end()], [planned, done, end()]);
  expect(more).toEqual([
    { step: "fix", what: "the step", recorded: "The record has no such step.", replayed: "task.done fix" },
  ]);
});
