import type { RepairReport } from "@drydock/protocol";
import pc from "picocolors";
import { expect, it } from "vitest";
import { renderRepair } from "./render-repair.ts";

const best = { candidate: 0, edits: 1, summary: "+ instead of -", diff: "", group: null, strength: null };
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

it("shows the change that was taken, and the others after it", () => {
  const change = (candidate: number, sign: string) => ({
    ...{ candidate, edits: 1, summary: `line 2 of calc.py: ${sign} instead of -`, group: null, strength: null },
    ...{ diff: `--- a/calc.py\n+++ b/calc.py\n@@ -2 +2 @@\n-    return a - b\n+    return a ${sign} b\n` },
    tests: { passing: 3, failing: 0 },
  });
  const passed = { ...report(0), chosen: 2, found: 2, best: null, changes: [change(1, "*"), change(2, "+")] };
  const shown = renderRepair(
    passed,
    { ...ended, status: "succeeded" },
    { colors: pc.createColors(false), all: false },
  ).split("\n");
  expect(shown.slice(0, 3)).toEqual([
    "  line 2 of calc.py: + instead of -",
    "     -    return a - b",
    "     +    return a + b",
  ]);
  expect(shown[3]).toMatch(/^1 other change also passes/);
  expect(shown[4]).toBe("  1. line 2 of calc.py: * instead of -");
});

it("folds changes that gave the same results, and says what the tests notice", () => {
  const change = (candidate: number, group: number, words: string) => ({
    ...{ candidate, group, edits: 1, summary: words, diff: "", strength: { killed: 2, total: 3 } },
    tests: { passing: 3, failing: 0 },
  });
  const changes = [change(1, 0, "a + b"), change(2, 0, "a - (-b)"), change(3, 1, "a * b"), change(4, 1, "b * a")];
  const passed = { ...report(0), chosen: 1, found: 4, best: null, changes };
  const look = { colors: pc.createColors(false) };
  const folded = renderRepair(passed, { ...ended, status: "succeeded" }, { ...look, all: false });
  expect(folded).not.toMatch(/a - \(-b\)|b \* a/);
  expect(folded).toContain("the tests notice 2 of 3 small faults put into it");
  expect(folded).toContain("     1 other change gave the same results as this one for every input that was tried");
  expect(folded).toContain(
    "  1 other change gave the same results as the change taken for every input that was tried: --all lists them",
  );
  const all = renderRepair(passed, { ...ended, status: "succeeded" }, { ...look, all: true });
  expect(all).toMatch(/2\. a - \(-b\)[\s\S]*4\. b \* a/);
});

it("hides no changed line that looks like the head of a diff", () => {
  const diff =
    "--- a/n.js\n+++ b/n.js\n@@ -1,2 +1,2 @@\n let n = 1;\n--- n;\n+++ n;\n--- a/m.js\n+++ b/m.js\n@@ -1 +1 @@\n-m\n\\ No newline at end of file\n+k\n";
  const change = {
    candidate: 1,
    edits: 2,
    summary: "two lines",
    group: null,
    strength: null,
    diff,
    tests: { passing: 3, failing: 0 },
  };
  const passed = { ...report(0), chosen: 1, found: 1, best: null, changes: [change] };
  const shown = renderRepair(passed, { ...ended, status: "succeeded" }, { colors: pc.createColors(false), all: false });
  expect(shown).toBe("  two lines\n     --- n;\n     +++ n;\n     -m\n     +k\n");
});
