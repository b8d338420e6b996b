import { expect, test } from "vitest";
import { describeAlike, describeBest, describeNoticed, describeOthers, foldOthers } from "./describe-repair.ts";
import type { RepairChange, RepairReport } from "./repair.ts";

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
  const best = {
    candidate: 0,
    edits: 1,
    summary: "",
    diff: "",
    tests: { passing: 3, failing: 1 },
    group: null,
    strength: null,
  };
  expect(describeBest({ best, stopped: "time" })).toBe("The best change passes 3 of 4 tests. 1 test still fails.");
  const all = { ...best, tests: { passing: 4, failing: 0 } };
  expect(describeBest({ best: all, stopped: "time" })).toMatch(/4 tests that were tried, and not the whole command\.$/);
  expect(describeBest({ best: all, stopped: "cancelled" })).toMatch(
    /that were tried; the whole command was not run\.$/,
  );
});

const change = (candidate: number, group: number | null): RepairChange => ({
  ...{ candidate, group, edits: 1, summary: "", diff: "", tests: { passing: 3, failing: 0 }, strength: null },
});

test("changes with the same results are folded into one, and those like the taken one are counted", () => {
  const changes = [change(1, 0), change(2, 1), change(3, 0), change(4, 1), change(5, 2)];
  const { likeTaken, shown } = foldOthers({ chosen: 1, changes });
  expect(likeTaken).toBe(1);
  expect(shown.map(({ change: { candidate }, alike }) => [candidate, alike])).toEqual([
    [2, 1],
    [5, 0],
  ]);
  expect(describeAlike(2, "taken")).toBe(
    "2 other changes gave the same results as the change taken for every input that was tried",
  );
  expect(describeAlike(0, "this")).toBeNull();
});

test("changes that were not compared are not folded", () => {
  const { likeTaken, shown } = foldOthers({ chosen: 1, changes: [change(1, null), change(2, null), change(3, null)] });
  expect([likeTaken, shown.length]).toEqual([0, 2]);
});

test("strength is said where faults were tried", () => {
  const words = (strength: RepairChange["strength"]) => describeNoticed({ strength });
  expect(words({ killed: 3, total: 4 })).toBe("the tests notice 3 of 4 small faults put into it");
  expect(words({ killed: 0, total: 0 })).toBeNull();
  expect(words(null)).toBeNull();
});
