import type { RepairReport } from "@drydock/protocol";
import pc from "picocolors";
import { expect, it } from "vitest";
import { renderRepair } from "./render-repair.ts";

const best = { candidate: 0, edits: 1, summary: "+ instead of -", diff: "", group: null };
const report = (failing: number): RepairReport => ({
  ...{ tried: 40, seconds: 2, stopped: "cancelled", reason: "", suspects: [], differ: null, task: "repair" },
  ...{
    chosen: null,
    refused: 0,
    found: 0,
    unconfirmed: 0,
    changes: [],
    best: { ...best, tests: { passing: 3, failing } },
  },
});
const ended = { status: "cancelled", runId: "run_1" } as const;

it("names the command that takes a change up, with what such a run has to be told again", () => {
  const look = { colors: pc.createColors(false), all: false };
  expect(renderRepair(report(0), ended, look)).toMatch(/^verify it: drydock run --follow run_1$/m);
  const given = { workspace: "my work", check: ["python3 -m pytest -q", "node --test"] };
  expect(renderRepair(report(1), ended, { ...look, given })).toMatch(
    /^go on: {5}drydock run --follow run_1 --workspace 'my work' --check 'python3 -m pytest -q' --check 'node --test'$/m,
  );
});
