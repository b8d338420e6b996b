import type { CheckResult, Run } from "@drydock/protocol";
import type { GoalRun } from "./add-goal-run.ts";
import { withLedger } from "./add-goal-run.ts";

const TREE = "e".repeat(64);

export interface VerifyRunOptions {
  verdict: Run["verdict"];
  checks: readonly CheckResult[];
  reason?: string;
  title?: string;
  workspace?: string;
}

/** A directory that was judged by these checks, in a real ledger. */
export async function withVerifyRun<T>(options: VerifyRunOptions, use: (run: GoalRun) => Promise<T>): Promise<T> {
  const { verdict, checks, reason, title = `verify: ${checks.length} checks`, workspace = "/home/ada/work" } = options;
  return withLedger(async (ledger, home) => {
    const { id: runId } = await ledger.createRun({ kind: "verify", title, workspace, data: { request: {} } });
    for (const check of checks) {
      await ledger.append(runId, [{ type: "check.finished", data: { ...check, round: 0 } }]);
    }
    const type = verdict === "passed" ? "run.succeeded" : "run.failed";
    const data = { error: null, verdict, treeHash: TREE, repeated: 0, ...(reason !== undefined && { reason }) };
    await ledger.finish(runId, { type, data });
    const run = await ledger.getRun(runId);
    if (!run) throw new Error("the run is missing");
    const readers = {
      blob: (sha256: string) => ledger.blobs.read(sha256),
      artifact: (id: string) => ledger.artifacts.read(id),
    };
    return use({ run, events: await ledger.events(runId, { limit: 100_000 }), readers, scratch: home });
  });
}

export function makeCheck(values: Partial<CheckResult> = {}): CheckResult {
  return {
    type: "command",
    verdict: "passed",
    reason: '"pytest -q" ended with status 0.',
    code: "ok",
    evidence: {},
    durationMs: 421,
    treeHash: TREE,
    check: { type: "command", cmd: "pytest -q" },
    ...values,
  };
}

/** Tests that got better and worse, a control that held, and tests that miss two of twenty faults. */
export const PROOF: Required<Pick<CheckResult, "tests" | "control" | "strength">> = {
  tests: {
    runners: ["pytest"],
    complete: true,
    counts: {
      newlyPassing: 3,
      stillPassing: 9,
      newlyFailing: 12,
      stillFailing: 1,
      missing: 1,
      skipped: 1,
      added: 2,
    },
    newlyPassing: ["tests/test_calc.py::test_add", "tests/test_calc.py::test_sub", "tests/test_new.py::test_it"],
    newlyFailing: Array.from({ length: 12 }, (_, index) => `tests/test_div.py::TestDiv::test_${index}`),
    stillFailing: ["tests/test_old.py::test_old"],
    missing: ["tests/test_gone.py::test_gone"],
    skipped: ["tests/test_slow.py::test_slow"],
    added: ["tests/test_new.py::test_it", "tests/test_new.py::test_more"],
  },
  control: { kind: "expectations", edits: 24, failed: true, survivors: [], reason: "" },
  strength: {
    killed: 18,
    total: 20,
    score: 0.9,
    seed: 1,
    found: 20,
    survivors: [
      { path: "src/calc.py", line: 12, operator: "compare", diff: "@@ -12 +12 @@\n-    if a < b:\n+    if a <= b:" },
      { path: "src/a b#.py", line: 3, operator: "constant", diff: "-    n = 1\n+    n = 2" },
    ],
  },
};

/** Texts that break what does not escape them. */
export const NASTY = [
  "]]>",
  "<!--</testcase><script>&amp;\"'",
  "\u0000\u0001\u0008\u000b\u001b[31m\u007f\u0085",
  "\ud800 lone \udfff",
  "\ufffe\uffff",
  "\u202eesrever",
  "🚢 ünïcödé\r\n\ttab",
  "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
].join(" ");
