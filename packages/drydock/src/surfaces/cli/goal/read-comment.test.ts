import { expect, it } from "vitest";
import { readComment } from "./read-comment.ts";

it("reads a comment on a line, on a line that is gone, and on a file", () => {
  expect(readComment("calc.py:2: Use sum(): it is shorter.")).toEqual({
    ...{ path: "calc.py", line: 2, text: "Use sum(): it is shorter." },
  });
  expect(readComment("src/a b.py:-12: Why is it gone?\nSay so.")).toEqual({
    ...{ path: "src/a b.py", line: 12, side: "before", text: "Why is it gone?\nSay so." },
  });
  expect(readComment("README.md: Add an example.")).toEqual({ path: "README.md", text: "Add an example." });
});

it("refuses what names no file, and says how it is written", () => {
  for (const words of ["Use sum()", "calc.py:2:", ": x", ""]) {
    expect(() => readComment(words)).toThrow(expect.objectContaining({ code: "input.invalid" }));
  }
});
