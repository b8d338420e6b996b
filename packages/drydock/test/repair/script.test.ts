import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import type { Files } from "../verify/judge.ts";
import { repair } from "./search.ts";

const test = openTestDock();
const MODULE = '{ "type": "module", "scripts": { "test": "node --test" } }';
const HEAD = 'import assert from "node:assert/strict";\nimport test, { describe, it } from "node:test";\n';

/** One fault each, and what the file has to hold in the end. */
const FAULTS: { name: string; files: Files; cmd?: string; contains: string }[] = [
  {
    name: "a wrong operator, with CRLF",
    files: {
      "package.json": MODULE,
      "calc.js": "export function add(a, b) {\r\n  return a - b;\r\n}\r\n",
      "calc.test.js": `${HEAD}import { add } from "./calc.js";\ntest("adds", () => { assert.equal(add(2, 3), 5); assert.equal(add(0, 7), 7); });\n`,
    },
    cmd: "npm test",
    contains: "  return a + b;\r\n",
  },
  {
    name: "a wrong index in TypeScript",
    files: {
      "package.json": MODULE,
      "median.ts":
        "export function median(values: readonly number[]): number {\n  const sorted = [...values].sort((a, b) => a - b);\n  const half = Math.floor(sorted.length / 2);\n  if (sorted.length % 2 === 1) return sorted[half] ?? 0;\n  return ((sorted[half + 1] ?? 0) + (sorted[half] ?? 0)) / 2;\n}\n",
      "median.test.ts": `${HEAD}import { median } from "./median.ts";\ndescribe("median", () => {\n  it("odd", () => assert.equal(median([3, 1, 2]), 2));\n  it("even", () => assert.equal(median([4, 1, 2, 3]), 2.5));\n  it("two", () => assert.equal(median([5, 9]), 7));\n});\n`,
    },
    contains: "sorted[half - 1]",
  },
  {
    name: "a loop that never ends, in a module of the old kind",
    files: {
      "digits.cjs":
        "function digits(n) {\n  const found = [];\n  while (n > 0) {\n    found.unshift(n % 10);\n    n = Math.floor(n / 1);\n  }\n  return found;\n}\nmodule.exports = { digits };\n",
      "digits.test.cjs":
        'const assert = require("node:assert");\nconst { test } = require("node:test");\nconst { digits } = require("./digits.cjs");\ntest("one", () => assert.deepEqual(digits(7), [7]));\ntest("many", () => assert.deepEqual(digits(471), [4, 7, 1]));\n',
    },
    contains: "    n = Math.floor(n / 10);\n",
  },
];

describe("a repair of JavaScript and TypeScript source", () => {
  it.each(FAULTS)(
    "mends $name",
    async ({ files, cmd = "node --test", contains }) => {
      const outcome = await repair(test.dock, files, cmd, { limits: { seconds: 240, candidates: 500 } });
      expect(outcome).toMatchObject({ stopped: "found", localisation: { method: "coverage" } });
      expect(outcome.found.map(({ writes }) => writes[0]?.content).join()).toContain(contains);
    },
    300_000,
  );

  it("shows an input on which repairs differ that all tests accept", async () => {
    const files: Files = {
      "package.json": MODULE,
      "clamp.js":
        "export function clamp(n, low, high) {\n  if (n < low) return low;\n  if (n < high) return high;\n  return n;\n}\n",
      "clamp.test.js": `${HEAD}import { clamp } from "./clamp.js";\ntest("high", () => assert.equal(clamp(9, 1, 5), 5));\ntest("low", () => assert.equal(clamp(0, 1, 5), 1));\n`,
    };
    const { found, differ } = await repair(test.dock, files, "node --test", {
      limits: { seconds: 150, candidates: 250 },
    });
    expect(found.length).toBeGreaterThan(1);
    expect(differ?.input).toMatch(/^clamp\(/);
  }, 300_000);
});
