import { expect, it } from "vitest";
import { findIncompleteRun } from "./find-incomplete-run.ts";

const report = (truncated: boolean) => ({
  ...{
    exitCode: 0,
    services: [],
    runners: [],
    tests: [],
    named: [],
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
    stalled: false,
  },
  truncated,
});
const run = (reportCut: boolean, observedCut: boolean) => ({
  report: report(reportCut),
  observed: { programs: [], paths: [], truncated: observedCut },
  wrote: [],
  touched: null,
});
const WHOLE = run(false, false);

it("finds nothing where all is known", () => {
  expect(findIncompleteRun([WHOLE], WHOLE)).toBeNull();
  expect(findIncompleteRun([{ report: null, observed: null }], undefined)).toBeNull();
});

it("finds a cut report or observation, of the untouched tree and of the judged one", () => {
  for (const cut of [run(true, false), run(false, true)]) {
    expect(findIncompleteRun([WHOLE, cut], WHOLE)).toMatchObject({
      code: "report_cut",
      reason: expect.stringMatching(/^On the untouched tree, /),
    });
    expect(findIncompleteRun([WHOLE], cut)).toMatchObject({
      code: "report_cut",
      reason: expect.stringMatching(/^With the change, /),
    });
  }
});
