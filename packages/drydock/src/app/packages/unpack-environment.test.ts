import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { unpackEnvironment } from "./unpack-environment.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "drydock-unpack-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

type File = [path: string, part: number, offset: number, size: number, executable: boolean];
const unpack = (files: File[], more: Record<string, unknown> = {}) =>
  unpackEnvironment(
    join(directory, "site"),
    JSON.stringify({ python: "3.11.2", platform: "linux-x86_64", packages: [], files, ...more }),
    async (name) => Buffer.from(name === "part-0001" ? "abcdef" : "second"),
  );

it("writes each file from its part, and who may be executed", async () => {
  await unpack([
    ["a/__init__.py", 1, 0, 3, false],
    ["bin/tool", 2, 1, 4, true],
  ]);
  expect(readFileSync(join(directory, "site/a/__init__.py"), "utf8")).toBe("abc");
  expect(readFileSync(join(directory, "site/bin/tool"), "utf8")).toBe("econ");
  expect(statSync(join(directory, "site/bin/tool")).mode & 0o777).toBe(0o755);
});

it.each([
  ["../planted"],
  ["a/../../planted"],
  ["/etc/planted"],
  ["a//b"],
  ["."],
  [""],
  ["a\0b"],
  ["a\\b"],
  [`${"x".repeat(256)}`],
  [`${"a/".repeat(65)}b`],
])("writes nothing outside, nor what is no path: %j", async (path) => {
  await expect(unpack([[path, 1, 0, 1, false]])).rejects.toThrow("not a file path");
  expect(readdirSync(directory)).toEqual(["site"]);
});

it("writes no file twice, none through another, and none longer than what was packed", async () => {
  await expect(
    unpack([
      ["a", 1, 0, 1, false],
      ["a", 1, 1, 1, false],
    ]),
  ).rejects.toThrow("EEXIST");
  rmSync(join(directory, "site"), { recursive: true });
  await expect(
    unpack([
      ["a", 1, 0, 1, false],
      ["a/b", 1, 1, 1, false],
    ]),
  ).rejects.toThrow();
  rmSync(join(directory, "site"), { recursive: true });
  await expect(unpack([["a", 1, 4, 3, false]])).rejects.toThrow("longer");
});

it("takes nothing but what it knows", async () => {
  await expect(unpack([], { links: [] })).rejects.toThrow();
  await expect(unpack([["a", 1, -1, 1, false]])).rejects.toThrow();
});
