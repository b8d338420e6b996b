import type { TestOutcome, TestRunner } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { WitnessReport } from "../witness/witness-report.ts";
import { compareTests } from "./compare-tests.ts";

type Told = [id: string, outcome: TestOutcome, runner?: TestRunner];

function report(tests: Told[], named: string[] = []): WitnessReport {
  return {
    ...{
      exitCode: 0,
      services: [],
      files: [],
      modules: [],
      searchPath: [],
      replaced: [],
      retried: [],
      caught: [],
      sought: [],
      looked: [],
      operators: [],
      decided: [],
      truncated: false,
      stalled: false,
    },
    runners: [{ name: "pytest", complete: true }],
    tests: tests.map(([id, outcome, runner = "pytest"]) => ({ id, outcome, runner, file: "t.py" })),
    named: named.map((id) => ({ id, file: "t.py" })),
  };
}

function compare(before: WitnessReport, after: WitnessReport) {
  const record = {
    treeHash: "",
    passed: false,
    reason: "",
    report: before,
    observed: null,
    wrote: [],
    programs: [],
    durationMs: 0,
  };
  return compareTests([record], after, { exempt: () => false, mustPass: true, existed: () => true });
}

it("knows a test that was only named by the ids of its parts", () => {
  const before = report([], ["a", "a[1]", "b > c", "gone", "ab"]);
  const found = compare(
    before,
    report([
      ["a[1][x]", "passed"],
      ["b > c > d", "passed"],
      ["ab", "passed"],
    ]),
  );
  expect(found?.newlyPassing).toEqual(["a[1][x]", "b > c > d", "ab"]);
  expect(found?.evidence.missing).toEqual(["gone"]);
  expect(found?.problem?.reason).toBe("gone ran before the change and did not run now.");
});

it("takes the worst of what several runners report of a test, and skipping for no run", () => {
  const before = report([["a", "passed"]]);
  for (const outcomes of [
    ["passed", "skipped"],
    ["skipped", "passed"],
  ] as const) {
    const reply: Told[] = outcomes.map((outcome, index) => ["a", outcome, index === 0 ? "pytest" : "junit"]);
    expect(compare(before, report(reply))?.problem).toBeNull();
  }
  const failing = report([
    ["a", "failed"],
    ["a", "passed", "junit"],
  ]);
  expect(compare(before, failing)?.problem?.code).toBe("test_failed");
  expect(compare(failing, before)?.newlyPassing).toEqual(["a"]);
});

it("lets parameters that passed be renamed, and none be dropped", () => {
  const before = report([
    ["a[x]", "passed"],
    ["a[y]", "failed"],
  ]);
  const renamed = report([
    ["a[z]", "passed"],
    ["a[y]", "passed"],
  ]);
  expect(compare(before, renamed)?.problem).toBeNull();
  expect(compare(before, report([["a[y]", "passed"]]))?.problem).toMatchObject({ code: "test_missing" });
  const hidden = report([
    ["a[x]", "passed"],
    ["a[z]", "passed"],
  ]);
  expect(compare(before, hidden)?.problem).toMatchObject({ code: "test_missing" });
});
