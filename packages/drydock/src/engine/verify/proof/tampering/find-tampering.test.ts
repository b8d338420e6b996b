import { expect, it } from "vitest";
import type { ChangeOptions } from "../judge-change.ts";
import { findTampering } from "./find-tampering.ts";

function tampers(path: string, after: string, { before = "", cmd = "npm test" } = {}): Promise<string | null> {
  const read = (text: string) => ({ read: async () => Buffer.from(text) });
  const options = {
    ...{ check: { type: "command", cmd }, context: { tree: read(after) } },
    baseline: {
      changed: [{ path, kind: "changed" }],
      inputs: new Map(),
      before: { ...read(before), lookup: () => undefined },
    },
  };
  return findTampering(options as unknown as ChangeOptions);
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
  ["calc.py", "def sort(xs, key):\n    key.__globals__['sorted'] = sort\n"],
  ["calc.py", "def add(f):\n    f.__closure__[0].cell_contents = 5\n"],
  ["calc.py", "import sys\nfor module in list(sys.modules.values()):\n    module.sorted = list\n"],
  ["calc.py", "import sys\nfor name in sys.modules:\n    patch(name)\n"],
  ["calc.py", "from hypothesis import settings\n"],
  ["calc.js", "import fc from 'fast-check';\nfc.configureGlobal({ numRuns: 1 });"],
  ["calc.js", "require('chai').Assertion.overwriteMethod('equal', () => () => {});"],
  ["calc.ts", 'const { expect } = await import("@jest/globals");'],
  ["calc.js", "if (typeof jest !== 'undefined') jest.retryTimes(2);"],
  ["calc.js", "globalThis[Symbol.for('RETRY_TIMES')] = 2;"],
  ["calc.js", "globalThis.__vitest_worker__.config.retry = 3;"],
  ["calc.js", "try { f(); } catch (error) { if (error.code !== 'ERR_ASSERTION') throw error; }"],
  [
    "calc.py",
    "def each(xs, f):\n    for x in xs:\n        try:\n            f(x)\n        except (ValueError, AssertionError):\n            pass\n",
  ],
])("%s tampers with its tests: %j", async (path, text) => {
  expect(await tampers(path, text)).toContain(path);
  expect(await tampers(path, text, { before: text })).toBeNull();
});

it.each([
  ["graph.js", "path.cost = 5; os.name = 'x'; exports.path = path;"],
  ["calc.js", "const fs = require('fs');\nif (fs.constants.F_OK == 0) run(fs);"],
  ["calc.py", "import sys\nprint('json' in sys.modules)\n"],
  [
    "calc.py",
    "def load(text):\n    try:\n        return parse(text)\n    except AssertionError:\n        return None\n",
  ],
  ["vite.ts", "import { defineConfig } from 'vitest/config';"],
  ["calc.js", "import tapable from 'tapable';\nimport x from '../mocha.js';"],
])("%s does not: %j", async (path, text) => {
  expect(await tampers(path, text)).toBeNull();
});

it.each(["tsc -p .", "npx eslint src", "cd web && node_modules/.bin/tsc"])(
  "words that tell %s to look away count for it, and for no other command",
  async (cmd) => {
    const text = "// @ts-nocheck\n// eslint-disable-next-line\n";
    expect(await tampers("a.ts", text, { cmd })).toContain("look away");
    expect(await tampers("a.ts", text, { cmd: "npm test" })).toBeNull();
  },
);

it("a file that uses a library for tests already may use more of it", async () => {
  const before = "import { expect } from 'vitest';\n";
  expect(await tampers("kit.js", `${before}import * as chai from 'chai';\n`, { before })).toBeNull();
});

it.each(["node --test --experimental-test-coverage", "pytest --cov=src", "npx c8 npm test", "nyc mocha"])(
  "words that tell coverage to look away count where %s measures it",
  async (cmd) => {
    for (const word of ["/* node:coverage ignore next */", "// c8 ignore start", "# pragma: no cover"]) {
      expect(await tampers("a.js", word, { cmd })).toContain("look away");
      expect(await tampers("a.js", `${word}\n${word}`, { before: word, cmd })).toContain("look away");
      expect(await tampers("a.js", `${word}\n`, { before: word, cmd })).toBeNull();
      expect(await tampers("a.js", word, { cmd: "npm test" })).toBeNull();
    }
  },
);

it.each(["({ id: 'x' }) as unknown as User", "load() as any", "(o: any) => o"])(
  "a type check takes %s on trust",
  async (text) => {
    expect(await tampers("a.ts", text, { cmd: "npx tsc --noEmit" })).toContain("on trust");
    expect(await tampers("a.ts", text, { cmd: "npx tsc --noEmit", before: text })).toBeNull();
    expect(await tampers("a.ts", text, { cmd: "npx tsc && node --test" })).toBeNull();
    expect(await tampers("a.ts", `// ${text}\n`, { cmd: "npx tsc --noEmit" })).toBeNull();
  },
);

it("says that source is too large to be looked at, and lets large data be", async () => {
  const text = "x = 1\n".repeat(200_000);
  for (const path of ["calc.py", "calc.js", "calc.c", "calc.go"])
    expect(await tampers(path, text)).toContain(`${path} is too large`);
  for (const path of ["words.txt", "table.csv"]) expect(await tampers(path, text)).toBeNull();
});
