import { expect } from "vitest";
import type { Dock } from "../../src/app/index.ts";
import type { Files } from "../verify/judge.ts";
import { measureFiles } from "./mutable-tree.ts";

export const PYTHON: Files = {
  "count.py": `import sys
TOTAL = 0
def count(n):
    """Counts down; some mutants of it never end."""
    found = 0
    while n > 0:
        n -= 1
        found += 1
    return found
def leave(code):
    if code > 3:
        sys.exit(0)
    return code
`,
  "test_count.py": `from count import count, leave
def test_count():
    assert count(3) == 3
    assert count(0) == 0
def test_leave():
    assert leave(2) == 2
`,
};

export const NODE: Files = {
  "package.json": '{ "type": "module" }',
  "count.js": `export function count(n) {
  let found = 0;
  while (n > 0) {
    n -= 1;
    found += 1;
  }
  return found;
}
export function leave(code) {
  globalThis.left = (globalThis.left ?? 0) + 1;
  if (code > 3) process.exit(0);
  return code;
}
export function later(ms, act) {
  if (ms > 5) setInterval(act, 1000);
  return setTimeout(act, ms);
}
`,
  "count.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { count, later, leave } from "./count.js";
test("counts", () => {
  assert.equal(count(3), 3);
  assert.equal(count(0), 0);
});
test("leaves", () => {
  assert.equal(leave(2), 2);
  assert.equal(globalThis.left, 1);
});
test("waits", async () => assert.equal(await new Promise((resolve) => later(1, () => resolve(4))), 4));
`,
  "old.cjs": "exports.half = (n) => n / 2;\n",
  "old.test.cjs": `const assert = require("node:assert");
const { it } = require("node:test");
const { half } = require("./old.cjs");
it("halves", () => assert.equal(half(4), 2));
`,
};

/** Many mutants in one sandbox end as each of them does in a sandbox of its own. `limit`: how many are tried. */
export async function compareWarm(dock: Dock, cmd: string, files: Files, limit?: number): Promise<void> {
  const warm = await measureFiles(dock, files, cmd, { limit });
  const alone = await measureFiles(dock, files, cmd, { limit, isWarm: false });
  expect(warm.total).toBeGreaterThan(15);
  expect(warm.survivors.length).toBeGreaterThan(0);
  expect(warm).toEqual(alone);
}
