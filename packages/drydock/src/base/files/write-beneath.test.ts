import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makeTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createBeneath, replaceBeneath } from "./write-beneath.ts";

let place: string;
let outside: string;
beforeEach(() => {
  place = makeTemporaryDirectory();
  outside = makeTemporaryDirectory();
});

const put = (directory: string, path: string) => createBeneath(directory, path, "text");

test("directories between are made, and those that are there are used", async () => {
  await put(join(place, "new/one"), "a/b/c.txt");
  await put(join(place, "new/one"), "a/b/d.txt");
  expect(readdirSync(join(place, "new/one/a/b"))).toEqual(["c.txt", "d.txt"]);
});

test("the directory itself may be a link", async () => {
  symlinkSync(outside, join(place, "link"));
  await put(join(place, "link"), "a/b.txt");
  expect(readFileSync(join(outside, "a/b.txt"), "utf8")).toBe("text");
});

test.each(["sub/file", "deep/sub/file", "sub/more/file"])("no link below it is followed: %s", async (path) => {
  mkdirSync(join(place, "deep"));
  symlinkSync(outside, join(place, path.startsWith("deep") ? "deep/sub" : "sub"));
  await expect(put(place, path)).rejects.toThrow(/\/sub is a link$/);
  expect(readdirSync(outside)).toEqual([]);
});

test("a link in the file's own place is not followed, and no file is replaced", async () => {
  symlinkSync(join(outside, "new"), join(place, "file"));
  await expect(put(place, "file")).rejects.toThrow("EEXIST");
  expect(existsSync(join(outside, "new"))).toBe(false);
  writeFileSync(join(place, "kept"), "old");
  await expect(put(place, "kept")).rejects.toThrow(`EEXIST: file already exists, open '${place}/kept'`);
  expect(readFileSync(join(place, "kept"), "utf8")).toBe("old");
});

test("a file on the way is named", async () => {
  writeFileSync(join(place, "sub"), "");
  await expect(put(place, "sub/file")).rejects.toThrow(`${join(place, "sub")} is not a directory`);
});

test.each(["", "/", "..", "a/../b", "./a"])("is not a name of a file: %j", async (path) => {
  await expect(put(place, path)).rejects.toThrow("is not the name of a file");
});

test("a file is replaced as a whole, a link in its place too, and nothing is left beside it", async () => {
  symlinkSync(join(outside, "new"), join(place, "file"));
  for (const text of ["one", "two"]) await replaceBeneath(place, "file", text);
  expect([readFileSync(join(place, "file"), "utf8"), readdirSync(place), readdirSync(outside)]).toEqual([
    "two",
    ["file"],
    [],
  ]);
  mkdirSync(join(place, "taken"));
  await expect(replaceBeneath(place, "taken", "text")).rejects.toThrow("EISDIR");
  expect(readdirSync(place)).toEqual(["file", "taken"]);
  symlinkSync(outside, join(place, "sub"));
  await expect(replaceBeneath(place, "sub/file", "text")).rejects.toThrow("sub is a link");
});
