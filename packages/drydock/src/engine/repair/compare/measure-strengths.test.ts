import { expect, test } from "vitest";
import type { TriedPlace } from "../search-candidates.ts";
import { countNeighbours } from "./measure-strengths.ts";

const tried = (id: number, start: number, end: number) => ({
  candidate: { id, score: 1, edits: [{ path: "a.js", start, end, replacement: "x" }] },
  trial: { id, fixed: 1, failing: 0, isLate: false },
});
const place = (id: number, start: number, end: number, isPassing = false, path = "a.js"): TriedPlace => ({
  ...{ id, start, end, isPassing, path },
});

test("other edits of the same place count, and the change itself does not", () => {
  const places = [place(1, 4, 8, true), place(2, 4, 8), place(3, 2, 20, true), place(4, 6, 7)];
  expect(countNeighbours([tried(1, 4, 8)], places).get(1)).toEqual({ killed: 2, total: 3 });
});

test("edits beside it, and of other files, do not count", () => {
  const places = [place(2, 1, 4), place(3, 8, 9), place(4, 4, 8, false, "b.js")];
  expect(countNeighbours([tried(1, 4, 8)], places).has(1)).toBe(false);
});

test("what is inserted is compared with what else was inserted there", () => {
  const places = [place(2, 4, 4), place(3, 4, 4, true), place(4, 0, 9), place(5, 4, 6)];
  expect(countNeighbours([tried(1, 4, 4)], places).get(1)).toEqual({ killed: 1, total: 2 });
});

test("a change of several edits has no such place", () => {
  const two = tried(1, 4, 8);
  const edits = [...two.candidate.edits, { path: "a.js", start: 20, end: 21, replacement: "y" }];
  expect(countNeighbours([{ ...two, candidate: { ...two.candidate, edits } }], [place(2, 4, 8)]).size).toBe(0);
});
