import { expect, it } from "vitest";
import { joinPath } from "./join-path.ts";

it.each([
  ["", "a/b", "a/b"],
  ["a/b", "../c", "a/c"],
  ["a", "./b//c/.", "a/b/c"],
  ["a", "..", ""],
  ["a", "../..", null],
  ["", "../a", null],
])("from %j, %j is %j", (directory, relative, path) => {
  expect(joinPath(directory, relative)).toBe(path);
});
