import pico from "picocolors";
import { expect, it } from "vitest";
import { renderReplay } from "./render-replay.ts";

const colors = pico.createColors(false);
const failed = { ok: false, verdict: "failed", treeHash: null, steps: 3 } as const;
const replay = { ...failed, runId: "run_2", replayOf: "run_1", notes: [] };
const follows = { step: "fix/a1", what: "the step", recorded: "x", replayed: null, follows: true };

it("says first that the workspace is another, and folds what follows from that", () => {
  const tree = { recorded: "a".repeat(64), replayed: "b".repeat(64) };
  const cause = { step: "workspace", what: "the tree", cause: "workspace", ...tree } as const;
  const text = renderReplay({ ...replay, divergences: [cause, follows, follows] }, colors);
  expect(text.split("\n")[0]).toBe(
    "✗ run_1: the workspace is another tree (bbbbbbbbbbbb) than the one that the run began with (aaaaaaaaaaaa).",
  );
  expect(text).toContain("and 2 more that follow from it; --json lists them all.");
  expect(text).not.toContain("fix/a1");
});

it("shows the cause with both sides, and folds the rest", () => {
  const cause = { step: "step 2", what: "stdout", recorded: "1\n", replayed: "2\n" };
  expect(renderReplay({ ...replay, divergences: [cause, follows], notes: ["a note"] }, colors)).toBe(
    [
      "✗ run_1: 2 divergences",
      "  ✗ step 2: stdout",
      '      recorded "1\\n"',
      '      replayed "2\\n"',
      "  and 1 more that follows from it; --json lists them all.",
      "  note: a note",
      "",
    ].join("\n"),
  );
});

it("shows each place at which the record was altered", () => {
  const altered = (seq: number) => ({
    ...{ step: "run.created", what: `event ${seq} (run.created)`, recorded: "a", replayed: "b" },
    cause: "record" as const,
  });
  const text = renderReplay({ ...replay, divergences: [altered(0), altered(3), follows] }, colors);
  expect(text).toContain("event 0");
  expect(text).toContain("event 3");
  expect(text).not.toContain("fix/a1");
});
