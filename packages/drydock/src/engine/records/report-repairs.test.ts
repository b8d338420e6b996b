import type { RunEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import { reportRepairs } from "./report-repairs.ts";

const FINISHED = {
  ...{ key: "one/repair", task: "one", outcome: "sha", tried: 9, seconds: 1, stopped: "found", reason: "" },
  ...{ suspects: [], found: 2, unconfirmed: 0, changes: [], best: null, differ: null },
};

/** The record of a task with changes that were judged in turn, and one of them taken. */
function report(verdicts: string[], taken: number | null) {
  const events = [
    { type: "repair.finished", data: FINISHED },
    ...verdicts.flatMap((verdict, at) => [
      { type: "attempt.finished", data: { key: `one/a${at + 1}`, attempt: at + 1, candidate: at + 1 } },
      { type: "task.verified", data: { key: `one/a${at + 1}`, attempt: at + 1, verdict } },
    ]),
    taken === null
      ? { type: "task.failed", data: { key: "one", attempts: verdicts.length } }
      : { type: "task.done", data: { key: "one", attempts: verdicts.length, judged: taken } },
  ];
  return reportRepairs(events as unknown as RunEvent[])[0];
}

it.each([
  ["was proved after another was refused", ["failed", "passed"], 2, { chosen: 2, refused: 1 }],
  ["is not proved", ["unproven"], 1, { chosen: 1, refused: 0 }],
  ["is the first of several that are not proved", ["unproven", "failed", "unproven"], 1, { chosen: 1, refused: 0 }],
  ["is none, as all were refused", ["failed", "failed"], null, { chosen: null, refused: 2 }],
])("counts what the verifier refused before the change that was taken, where that %s", (_, verdicts, taken, expected) =>
  expect(report(verdicts, taken)).toMatchObject(expected),
);
