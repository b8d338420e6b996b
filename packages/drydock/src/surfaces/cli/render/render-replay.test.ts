import pico from "picocolors";
import { expect, it } from "vitest";
import { renderReplay } from "./render-replay.ts";

const colors = pico.createColors(false);
const replay = { runId: "run_2", replayOf: "run_1", ok: false, verdict: "failed", treeHash: null, steps: 3 } as const;

it("says first that the workspace is another, and folds what follows from that", () => {
  const follows = { step: "fix/a1", what: "the step", recorded: "x", replayed: null };
  const cause = { step: "workspace", what: "the tree", recorded: "a".repeat(64), replayed: "b".repeat(64) };
  const text = renderReplay({ ...replay, divergences: [cause, follows, follows] }, colors);
  expect(text.split("\n")[0]).toBe(
    "✗ run_1: the workspace is another tree (bbbbbbbbbbbb) than the one that the run began with (aaaaaaaaaaaa).",
  );
  expect(text).toContain("2 divergences follow from that");
  expect(text).not.toContain("fix/a1");
  expect(renderReplay({ ...replay, divergences: [follows] }, colors)).toContain("fix/a1: the step");
});
