import { expect, test } from "vitest";
import { applySplices } from "../source/splice.ts";
import { spliceBetween } from "./list-known-candidates.ts";

test.each([
  ["a - b", "a + b", { start: 2, end: 3, replacement: "+" }],
  ["aaa", "aa", { start: 2, end: 3, replacement: "" }],
  ["", "new", { start: 0, end: 0, replacement: "new" }],
  ["same", "same", { start: 4, end: 4, replacement: "" }],
  ["x 😀 y", "x 😁 y", { start: 2, end: 4, replacement: "😁" }],
  ["x 😀 y", "x 🐀 y", { start: 2, end: 4, replacement: "🐀" }],
])("%j becomes %j by the smallest splice that cuts no character in two", (before, after, splice) => {
  expect(spliceBetween(before, after)).toEqual(splice);
  expect(applySplices(before, [splice])).toBe(after);
});
