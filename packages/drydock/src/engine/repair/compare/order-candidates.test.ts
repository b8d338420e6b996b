import { expect, test } from "vitest";
import { groupByResults, leadersFirst, orderCandidates } from "./order-candidates.ts";

const tried = (id: number, score: number, edits = 1) => ({
  candidate: {
    ...{ id, score },
    edits: Array.from({ length: edits }, (_, at) => ({ path: "a.js", start: at, end: at + 1, replacement: "x" })),
  },
  trial: { id, fixed: 1, failing: 0, isLate: false },
});
const idsOf = (ordered: readonly { candidate: { id: number } }[]) => ordered.map(({ candidate: { id } }) => id);
const strength = (killed: number, total: number) => ({ killed, total });

test("of equally many edits, the one in whose place faults go unnoticed comes later, though it was likelier", () => {
  const passing = [tried(1, 0.6), tried(2, 0.35)];
  expect(idsOf(orderCandidates(passing, new Map(), new Map()))).toEqual([1, 2]);
  const strengths = new Map([
    [1, strength(6, 10)],
    [2, strength(10, 10)],
  ]);
  expect(idsOf(orderCandidates(passing, new Map(), strengths))).toEqual([2, 1]);
});

test("fewer edits come first, whatever their strength", () => {
  const passing = [tried(1, 0.9, 2), tried(2, 0.1)];
  expect(idsOf(orderCandidates(passing, new Map(), new Map([[2, strength(0, 10)]])))).toEqual([2, 1]);
});

test("a few faults decide little between changes that are not equally likely", () => {
  const passing = [tried(1, 0.6), tried(2, 0.35)];
  expect(idsOf(orderCandidates(passing, new Map(), new Map([[1, strength(2, 3)]])))).toEqual([1, 2]);
});

test("within a group the order is the same as without, and its first ones are looked at before the others", () => {
  const passing = [tried(1, 0.6), tried(2, 0.5), tried(3, 0.4)];
  const results = new Map([
    [1, ["a"]],
    [2, ["a"]],
    [3, ["b"]],
  ]);
  const groups = groupByResults(passing, results, new Map());
  const ordered = orderCandidates(passing, groups, new Map());
  expect(idsOf(ordered)).toEqual([1, 2, 3]);
  expect(idsOf(leadersFirst(ordered, groups))).toEqual([1, 3, 2]);
});
