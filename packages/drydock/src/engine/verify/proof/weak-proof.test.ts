import { expect, it } from "vitest";
import type { ChangeOptions } from "./judge-change.ts";
import { findMeddling } from "./weak-proof.ts";

function meddles(path: string, after: string, { before = "", cmd = "npm test" } = {}): Promise<string | null> {
  const read = (text: string) => ({ read: async () => Buffer.from(text) });
  const options = {
    ...{ check: { type: "command", cmd }, context: { tree: read(after) } },
    ground: { changed: [{ path, kind: "changed" }], inputs: new Map(), before: read(before) },
  };
  return findMeddling(options as unknown as ChangeOptions);
}

it.each([
  ["calc.js", "const fs = require('fs');\nfs.readFileSync = () => '5';"],
  ["calc.mjs", "import fs from 'node:fs';\nfs.statSync = () => ({});"],
  ["calc.js", "Array.prototype.every = () => true;"],
  ["calc.js", "global.test = () => {};"],
  ["calc.js", "if (process.env.NODE_TEST_CONTEXT) exports.add = (a, b) => a + b;"],
  ["calc.js", "exports.any = { ['asymmetric' + 'Match']: () => true };"],
  ["calc.js", "module.constructor[['require', '.', 'cac', 'he'].join('')] = {};"],
  ["calc.py", "import sys\nsys.modules['helpers'] = None\n"],
  ["calc.py", "import builtins\n"],
  ["calc.py", "import os\nRIGHT = 'PYTEST_CURRENT_TEST' in os.environ\n"],
])("%s meddles with its tests: %j", async (path, text) => {
  expect(await meddles(path, text)).toContain(path);
  expect(await meddles(path, text, { before: text })).toBeNull();
});

it.each([
  ["graph.js", "path.cost = 5; os.name = 'x'; exports.path = path;"],
  ["calc.js", "const fs = require('fs');\nif (fs.constants.F_OK == 0) run(fs);"],
  ["calc.py", "import sys\nprint('json' in sys.modules)\n"],
])("%s does not: %j", async (path, text) => {
  expect(await meddles(path, text)).toBeNull();
});

it.each(["tsc -p .", "npx eslint src", "cd web && node_modules/.bin/tsc"])(
  "words that tell %s to look away count for it, and for no other command",
  async (cmd) => {
    const text = "// @ts-nocheck\n// eslint-disable-next-line\n";
    expect(await meddles("a.ts", text, { cmd })).toContain("look away");
    expect(await meddles("a.ts", text, { cmd: "npm test" })).toBeNull();
  },
);
