import { expect, it } from "vitest";
import { applySplices } from "./splice.ts";

it("applies edits in any order, insertions before the replacement at the same place", () => {
  const text = "assert add(2, 3) == 5";
  const splices = [
    { start: 20, end: 21, replacement: "6" },
    { start: 7, end: 7, replacement: "not (" },
    { start: 7, end: 10, replacement: "sub" },
  ];
  expect(applySplices(text, splices)).toBe("assert not (sub(2, 3) == 6");
});

it("skips an edit inside a range that is replaced, and one outside the text", () => {
  const splices = [
    { start: 1, end: 2, replacement: "X" },
    { start: 0, end: 3, replacement: "abc" },
    { start: 9, end: 12, replacement: "Y" },
  ];
  expect(applySplices("(1)!", splices)).toBe("abc!");
});
