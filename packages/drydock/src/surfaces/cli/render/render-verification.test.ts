import type { CheckResult, Verification } from "@drydock/protocol";
import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { renderCheck, renderVerdict } from "./render-verification.ts";

const plain = pico.createColors(false);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `t.py::test_${index}`);

const passed: CheckResult = {
  type: "command",
  verdict: "passed",
  reason: "It ended with status 0.",
  code: "ok",
  evidence: {},
  durationMs: 20,
  treeHash: "e".repeat(64),
  check: { type: "command", cmd: "pytest -q" },
};
const none = { newlyPassing: 0, stillPassing: 0, newlyFailing: 0, stillFailing: 0, missing: 0, skipped: 0, added: 0 };
const tests = {
  runners: ["pytest" as const],
  complete: true,
  counts: { ...none, newlyPassing: 3, stillPassing: 9 },
  newlyPassing: ids(3),
  newlyFailing: [],
  stillFailing: [],
  missing: [],
  skipped: [],
  added: [],
};

describe("a check on the terminal", () => {
  it("says what became of its tests, in one line", () => {
    const text = renderCheck({ ...passed, tests }, plain);
    expect(text).toBe("✓ command — It ended with status 0. 20 ms\n    12 tests: 3 newly passing, 9 still passing\n");
    const cut = renderCheck({ ...passed, tests: { ...tests, complete: false } }, plain);
    expect(cut).toContain("9 still passing; pytest did not report its end\n");
  });

  it("counts tests that were added where there are no others", () => {
    const added = { ...tests, counts: { ...none, added: 2 }, newlyPassing: [], added: ids(2) };
    expect(renderCheck({ ...passed, tests: added }, plain)).toContain("    2 tests: 2 added\n");
  });

  it("names newly failing, missing and skipped tests where it failed, at most ten of each", () => {
    const worse = {
      ...tests,
      counts: { ...none, newlyFailing: 300, missing: 1, skipped: 10 },
      newlyPassing: [],
      newlyFailing: ids(200),
      missing: ["gone\u001b[2J"],
      skipped: ids(10),
    };
    const lines = renderCheck({ ...passed, verdict: "failed", tests: worse }, plain).split("\n");
    expect(lines[1]).toBe("    311 tests: 300 newly failing, 1 missing, 10 skipped");
    expect(lines[2]).toBe("      newly failing: t.py::test_0");
    expect(lines[12]).toBe("      and 290 more");
    expect(lines[13]).toBe("      missing: gone\\x1b[2J");
    expect(lines.slice(14)).toHaveLength(11);
    expect(renderCheck({ ...passed, tests: worse }, plain).split("\n")).toHaveLength(3);
  });

  it("says whether the control held", () => {
    const control = { kind: "expectations" as const, edits: 24, failed: true, survivors: [], reason: "" };
    expect(renderCheck({ ...passed, control }, plain)).toContain(
      "    control: 24 expectations made wrong on purpose, the check failed as it should\n",
    );
    expect(renderCheck({ ...passed, control: { ...control, failed: false } }, plain)).toContain(
      "    control: the check still passes with wrong expectations, so it proves nothing\n",
    );
    const without = { ...control, kind: "none" as const, failed: null, reason: "no test\u001b[2J expects a literal" };
    expect(renderCheck({ ...passed, control: without }, plain)).toContain(
      "    control: none: no test\\x1b[2J expects a literal\n",
    );
  });

  it("says how many faults the tests notice, and names those they do not", () => {
    const survivors = [{ path: "a.py", line: 3, operator: "compare", diff: "-a\n+b" }];
    const strength = { killed: 18, total: 19, score: 18 / 19, seed: 1, found: 40, survivors };
    expect(renderCheck({ ...passed, strength }, plain)).toContain(
      "    strength: 18 of 19 mutants killed (40 found, 19 tried)\n      survived: a.py:3 compare\n",
    );
    const nothing = { ...strength, killed: 0, total: 0, score: null, found: 0, survivors: [] };
    expect(renderCheck({ ...passed, strength: nothing }, plain)).toContain(
      "    strength: not measured: the selected source has nothing to mutate\n",
    );
  });
});

describe("a verdict on the terminal", () => {
  const verdictOf = (values: Partial<Verification>) =>
    renderVerdict(
      { verdict: "passed", treeHash: "e".repeat(64), baseHash: "", checks: [passed], repeated: 0, ...values },
      plain,
    );
  const failed = { ...passed, verdict: "failed" as const };

  it("counts the checks that failed, or else those that passed", () => {
    expect(verdictOf({ checks: [passed, passed] })).toBe("passed: 2 of 2 checks passed (tree eeeeeeeeeeee)\n");
    const checks = [failed, passed, { ...failed, verdict: "refused" as const }, failed];
    expect(verdictOf({ verdict: "failed", checks })).toBe("failed: 3 of 4 checks failed (tree eeeeeeeeeeee)\n");
    expect(verdictOf({ repeated: 1 })).toContain("1 of 1 check passed, made 2 times because the directory changed");
  });

  it("says why, where the count does not", () => {
    expect(verdictOf({ verdict: "unproven", reason: "No check fails\nwithout the change." })).toBe(
      "unproven: 1 of 1 check passed; No check fails without the change. (tree eeeeeeeeeeee)\n",
    );
  });
});
