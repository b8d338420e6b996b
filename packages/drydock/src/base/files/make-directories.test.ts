import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryDirectory } from "../testing/temporary-directory.ts";
import { makeDirectories } from "./make-directories.ts";

test("directories are made level by level, closed to others, and a second time is as good", () => {
  const directory = join(makeTemporaryDirectory(), "a/b/c");
  makeDirectories(directory);
  makeDirectories(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("a place that can't hold directories is an error, not a wait without end", () => {
  expect(() => makeDirectories("/proc/nowhere/a/b")).toThrow(/ENOENT|EACCES|EPERM/);
});
