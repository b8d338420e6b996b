import { expect, test } from "vitest";
import { describeBest, describeOthers } from "./describe-repair.ts";
import type { RepairReport } from "./repair.ts";

const REPORT: RepairReport = {
  ...{ tried: 40, seconds: 2, stopped: "found", reason: "", suspects: [], best: null, differ: null },
  ...{ task: "repair", chosen: 1, refused: 0, found: 6, unconfirmed: 0, changes: [] },
};

test.each([
  ["all that were found are counted", {}, "5 other changes also pass: your tests do not tell them apart"],
  [
    "more passed than were confirmed",
    { unconfirmed: 9 },
    "At least 5 other changes also pass: your tests do not tell them apart",
  ],
  [
    "none but the one that was taken could be confirmed",
    { found: 1, unconfirmed: 2 },
    "2 other changes passed in the search, and there was no time to confirm that",
  ],
  ["there is no other", { found: 1 }, null],
])("other changes, where %s", (_, part, words) => {
  expect(describeOthers({ ...REPORT, ...part })).toBe(words);
});

test("the best change says how many tests still fail", () => {
  const best = { candidate: 0, edits: 1, summary: "", diff: "", tests: { passing: 3, failing: 1 }, group: null };
  expect(describeBest({ best, stopped: "time" })).toBe("The best change passes 3 of 4 tests. 1 test still fails.");
  const all = { ...best, tests: { passing: 4, failing: 0 } };
  expect(describeBest({ best: all, stopped: "time" })).toMatch(/4 tests that were tried, and not the whole command\.$/);
  expect(describeBest({ best: all, stopped: "cancelled" })).toMatch(
    /that were tried; the whole command was not run\.$/,
  );
});
