import { describe, expect, it } from "vitest";
import type { RunPython } from "../source/run-python.ts";
import { describeSplice } from "./describe-splice.ts";
import { listMutants } from "./list-mutants.ts";

const noPython: RunPython = async () => {
  throw new Error("there is no Python here");
};
const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join("\n");
const LARGE = { path: "large.js", text: lines(90, "f(a + b * c);"), lines: null };
const SMALL = { path: "small.js", text: lines(10, "f(a + b * c);"), lines: null };

describe("listMutants", () => {
  it("gives all where they are few, in the order of their positions", async () => {
    const { found, mutants } = await listMutants([SMALL], noPython, { seed: 1, limit: 100 });
    expect(found).toBe(30);
    expect(mutants.map(({ line }) => line)).toEqual(
      Array.from({ length: 30 }, (_, index) => 1 + Math.floor(index / 3)),
    );
  });

  it("draws a sample that the seed decides, over all files and lines", async () => {
    const draw = (seed: number) => listMutants([LARGE, SMALL], noPython, { seed, limit: 50 });
    const [first, again, other] = await Promise.all([draw(1), draw(1), draw(2)]);
    expect(first.found).toBe(300);
    expect(again).toEqual(first);
    expect(other.mutants).not.toEqual(first.mutants);
    expect(first.mutants).toHaveLength(50);
    expect(first.mutants.filter(({ path }) => path === "small.js")).toHaveLength(5);
    // No line has a second one before every line has one.
    expect(new Set(first.mutants.map(({ path, line }) => `${path}:${line}`)).size).toBe(50);
  });

  it("shows each as a diff of its place", () => {
    const text = "a\nif (x < 1) {\n  b();\n}\nc\n";
    expect(describeSplice("a.js", text, { start: 8, end: 9, replacement: "<=" })).toBe(
      "--- a/a.js\n+++ b/a.js\n@@ -1,3 +1,3 @@\n a\n-if (x < 1) {\n+if (x <= 1) {\n   b();\n",
    );
    const block = describeSplice("a.js", text, { start: 13, end: 23, replacement: "{}" });
    expect(block).toBe("--- a/a.js\n+++ b/a.js\n@@ -1,5 +1,3 @@\n a\n-if (x < 1) {\n-  b();\n-}\n+if (x < 1) {}\n c\n");
  });
});
