import { expect, test } from "vitest";
import { preferNames } from "./rank-candidates.ts";

const tried = (replacement: string, start = 4, score = 0.6) => ({
  candidate: { id: 0, score, edits: [{ path: "a.js", start, end: start + 1, replacement }] },
  trial: { id: 0, fixed: 1, failing: 0, isLate: false },
});
const scores = (...replacements: ReturnType<typeof tried>[]) =>
  preferNames(replacements).map(({ candidate }) => Math.round(candidate.score * 100) / 100);

test("a value counts less where a name passes at the same place", () => {
  expect(scores(tried("2"), tried("size", 4, 0.35))).toEqual([0.24, 0.35]);
  expect(scores(tried('"a"'), tried("item.name", 4, 0.35))).toEqual([0.24, 0.35]);
});

test("a value counts as much as ever where none does", () => {
  expect(scores(tried("2"), tried("size", 9, 0.35), tried("size + 1", 4, 0.35))).toEqual([0.6, 0.35, 0.35]);
});
