import { expect, it } from "vitest";
import { findDifference } from "./find-difference.ts";

const CALLS = [
  { file: 0, name: "area", args: "[20, 30]" },
  { file: 0, name: "area", args: "[2, 3]" },
];
const PASSING = [7, 9].map((id) => ({
  candidate: { id, edits: [], score: 1 },
  trial: { id, fixed: 1, failing: 0, isLate: false },
}));
const find = (best: string[], other: string[] | null) =>
  findDifference(
    PASSING,
    CALLS,
    new Map([
      [7, best],
      [9, other],
    ]),
  );

it("is the shortest call with other results", () => {
  expect(find(["600", "6"], ["50", "5"])).toEqual({
    input: "area(2, 3)",
    results: [
      { candidate: 0, result: "6" },
      { candidate: 1, result: "5" },
    ],
  });
});

it.each([
  ["gave the same results", ["600", "6"]],
  ["could not be called", null],
  ["ended before the first call did", []],
  ["ended before the second call did", ["600"]],
])("is none where the other candidate %s", (_, other) => expect(find(["600", "6"], other)).toBeNull());

it("is none where the best candidate ended before the call did", () => {
  expect(find(["600"], ["600", "6"])).toBeNull();
});
