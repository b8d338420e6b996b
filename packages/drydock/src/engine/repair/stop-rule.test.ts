import { expect, test } from "vitest";
import { StopRule } from "./stop-rule.ts";
import type { Candidate, Trial } from "./workshop.ts";

const PASSES = { fixed: 1, failing: 0 };
const FAILS = { fixed: 0, failing: 1 };

function createSearch() {
  let nowMs = 0;
  let id = 0;
  const rule = new StopRule(() => nowMs);
  const edits = [{ path: "a.py", start: 0, end: 1, replacement: "+" }];
  return {
    wait: (ms: number) => {
      nowMs += ms;
    },
    take: (score: number, result: Pick<Trial, "fixed" | "failing"> = FAILS, own = edits) => {
      const candidate: Candidate = { id: id++, edits: own, score };
      return rule.take(candidate, { id: candidate.id, isLate: false, ...result });
    },
  };
}

test("nothing ends a search that has found nothing", () => {
  const search = createSearch();
  search.wait(1_000_000);
  expect(Array.from({ length: 5000 }, () => search.take(0.01)).some(Boolean)).toBe(false);
});

test("after one that passes, as likely ones are tried, and of unlikelier ones a bounded number", () => {
  const search = createSearch();
  expect(search.take(0.8, PASSES)).toBe(false);
  expect(Array.from({ length: 300 }, () => search.take(0.5)).some(Boolean)).toBe(false);
  expect(search.take(0.1)).toBe(true);
});

test("unlikelier ones are tried on a slow machine for a bounded time only", () => {
  const search = createSearch();
  search.take(0.8, PASSES);
  search.wait(2100);
  expect(Array.from({ length: 39 }, () => search.take(0.1)).some(Boolean)).toBe(false);
  expect(search.take(0.5)).toBe(false);
  expect(search.take(0.1)).toBe(true);
});

test("a change that only takes away is no measure: what is as likely as its worth is tried", () => {
  const search = createSearch();
  search.take(0.8, PASSES, [{ path: "a.py", start: 0, end: 40, replacement: "" }]);
  for (let each = 0; each < 150; each++) search.take(0.2);
  expect(search.take(0.2)).toBe(false);
  expect(search.take(0.1)).toBe(true);
});

test.each([
  ["as many again as it took", 0.9, 700],
  ["five hundred", 0.9, 0],
])("at most %s are tried", (_, score, before) => {
  const search = createSearch();
  for (let each = 0; each < before; each++) search.take(1);
  search.take(score, PASSES);
  const most = Math.max(before + 1, 500);
  const results = Array.from({ length: most }, () => search.take(score));
  expect(results.indexOf(true)).toBe(most - 1);
});

test("many that pass end the search", () => {
  const search = createSearch();
  const results = Array.from({ length: 60 }, () => search.take(0.9, PASSES));
  expect(results.indexOf(true)).toBe(39);
});
