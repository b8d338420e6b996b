import { describe, expect, it } from "vitest";
import { type Files, openWitness, type Witnessing } from "./witness.ts";

const witness = openWitness();

async function replacedIn(files: Files, command: string, options: Witnessing = {}) {
  const { replaced } = await witness.report(files, command, { mode: "record", ...options });
  return replaced.map(({ what, by }) => `${what} by ${by}`).sort();
}

const TEST =
  "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('./add.js');\n";

describe("what a record of Node tells of the tests' tools", () => {
  it("is nothing where all are as they were", async () => {
    const files = {
      "add.js": "Array.prototype.second ??= function () { return this[1]; };\nexports.add = (a, b) => a + b;\n",
      "add.test.js": `${TEST}test('add', () => { structuredClone({}); assert.deepStrictEqual([add(1, 2)], [3]); });\n`,
    };
    expect(await replacedIn(files, "node --test")).toEqual([]);
  });

  it("is what another function stands for, however it came there, and where that was written", async () => {
    const patch = [
      "Reflect.set(globalThis, ['parse', 'Float'].join(''), () => 0);",
      "Object.defineProperty(performance, 'n' + 'ow', { value: () => 0 });",
      "const key = 'deepStrict' + 'Equal';",
      "require('node:assert')[key] = (() => {}).bind(null);",
      "process['o' + 'n']('uncaughtException', () => {});",
      "Math.max = Math.min;",
    ].join("\n");
    const files = {
      "add.js": `${patch}\nexports.add = (a, b) => a + b;\n`,
      "add.test.js": `${TEST}test('add', () => { assert.strictEqual(add(1, 2), 3); });\n`,
    };
    const replies = [
      "Math.max by null",
      "assert.deepStrictEqual by add.js",
      "parseFloat by add.js",
      "performance.now by add.js",
    ];
    expect(await replacedIn(files, "node --test")).toEqual([...replies, "process.on('uncaughtException') by add.js"]);
  });

  it("is what was put back before the end, too, and not what a library held for one test", async () => {
    const files = {
      "add.js":
        "const { parseFloat: read } = globalThis;\nglobalThis.parseFloat = () => 0;\nprocess.prependListener('exit', () => { globalThis.parseFloat = read; });\nexports.add = (a, b) => a + b;\n",
      "add.test.js": `${TEST}test('add', (t) => { t.mock.method(Math, 'random', () => 1); t.mock.timers.enable(); assert.strictEqual(add(1, 2), 3); });\n`,
    };
    expect(await replacedIn(files, "node --test")).toEqual(["parseFloat by add.js"]);
  });

  it("is what jest's tests see in their own context", async () => {
    const files = {
      "package.json": "{}",
      "add.js":
        "Reflect.set(globalThis, 'parse' + 'Float', () => 0);\nglobalThis['exp' + 'ect']['ext' + 'end']({ toBe: () => ({ pass: true }) });\nexports.add = (a, b) => a + b;\n",
      "add.test.js":
        "const { add } = require('./add.js');\ntest('add', () => { jest.useFakeTimers(); expect(add(1, 2)).toBe(3); });\n",
    };
    const command = "node /extension/node_modules/jest/bin/jest.js --no-watchman";
    const replies = await replacedIn(files, command, { withPackages: true });
    expect(replies).toContain("parseFloat by add.js");
    expect(replies).toContain("expect().toBe by add.js");
  });

  it("is what vitest's expect was made to do", async () => {
    const files = {
      "package.json": '{ "type": "module" }',
      "vitest.config.js": "export default { test: { globals: true } };\n",
      "add.js":
        "globalThis['exp' + 'ect']['ext' + 'end']({ toBe: () => ({ pass: true, message: () => '' }) });\nexport const add = (a, b) => a + b;\n",
      "add.test.js": "import { add } from './add.js';\ntest('add', () => { expect(add(1, 2)).toBe(3); });\n",
    };
    const command = "node /extension/node_modules/vitest/vitest.mjs run";
    expect((await replacedIn(files, command, { withPackages: true })).join()).toContain("expect().toBe by ");
  });
});

describe("what a record of Python tells of the tests' tools", () => {
  const fix = "def add(a, b):\n    return a + b\n";

  it("is nothing where all are as they were, or put back", async () => {
    const test = [
      "import builtins, time, math, unittest.mock",
      "from add import add",
      "from io import open",
      "def test_a(monkeypatch):",
      "    monkeypatch.setattr(builtins, 'print', lambda *a: None)",
      "    with unittest.mock.patch('time.time', lambda: 0):",
      "        assert add(1, 2) == 3",
      "",
    ].join("\n");
    expect(await replacedIn({ "add.py": fix, "test_a.py": test }, "pytest -q")).toEqual([]);
  });

  it("is what another object stands for: built-ins, methods of TestCase, functions of modules", async () => {
    const patch = [
      "import sys, math",
      "mod = sys.modules.get('uni' + 'ttest')",
      "setattr(mod.TestCase, 'assertEqual', lambda *a: None)",
      "vars(sys.modules['builtins'])['sorted'] = list",
      "setattr(math, 'isclose', lambda *a: True)",
      "",
    ].join("\n");
    const test =
      "import unittest\nfrom add import add\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(add(1, 2), 4)\n";
    const replies = ["builtins.sorted by null", "math.isclose by add.py", "unittest.TestCase.assertEqual by add.py"];
    for (const command of ["python3 -m unittest -q", "pytest -q"]) {
      expect(await replacedIn({ "add.py": patch + fix, "test_a.py": test }, command)).toEqual(replies);
    }
  });

  it("is what came into a module of tests from outside", async () => {
    const patch = [
      "def add(a, b, key=None, kind=None):",
      "    key.__globals__['sorted'] = list",
      "    key.__globals__['same'] = lambda a, b: True",
      "    kind.__eq__ = lambda a, b: True",
      "    return a + b",
      "",
    ].join("\n");
    const test = [
      "from add import add",
      "class Kind: pass",
      "def same(a, b): return a == b",
      "def key(x): return x",
      "def test_a():",
      "    assert add(1, 2, key, Kind) == 3",
      "",
    ].join("\n");
    const of = "of test_a.py by";
    expect(await replacedIn({ "add.py": patch, "test_a.py": test }, "pytest -q")).toEqual([
      `Kind.__eq__ ${of} add.py`,
      `same ${of} add.py`,
      `sorted ${of} null`,
    ]);
  });
});

it("nothing is compared where nobody asked for a record", async () => {
  const files = { "a.js": "Math.max = Math.min;\n" };
  expect(await replacedIn(files, "node a.js", { mode: "report" })).toEqual([]);
  expect(await replacedIn(files, "node a.js")).toEqual(["Math.max by null"]);
});

describe("what a record tells of assertions that failed", () => {
  const EACH = "exports.each = (xs, f) => xs.forEach((x) => { try { f(x); } catch {} });\n";
  const begin = "const test = require('node:test');\nconst assert = require('node:assert');\n";

  it.each([
    [
      "node --test",
      { "each.js": EACH },
      "a.test.js",
      `${begin}const { each } = require('./each.js');\ntest('a', () => each([1], (x) => assert.strictEqual(x, 2)));\n`,
    ],
    [
      "node --test",
      { "each.js": EACH },
      "a.test.mjs",
      "import test from 'node:test';\nimport { equal } from 'node:assert/strict';\nimport { each } from './each.js';\ntest('a', () => each([1], (x) => equal(x, 2)));\n",
    ],
    [
      "pytest -q",
      {
        "each.py":
          "def each(xs, f):\n    for x in xs:\n        try:\n            f(x)\n        except Exception:\n            pass\n",
      },
      "test_a.py",
      "from each import each\n\n\ndef look(x):\n    assert x == 2\n\n\ndef test_a():\n    each([1], look)\n",
    ],
    [
      "python3 -m unittest -q",
      {
        "each.py":
          "def each(xs, f):\n    for x in xs:\n        try:\n            f(x)\n        except Exception:\n            pass\n",
      },
      "test_a.py",
      "import unittest\nfrom each import each\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        each([1], lambda x: self.assertEqual(x, 2))\n",
    ],
  ])("is who called the test's function, with %s: %j", async (command, files: Files, holder, test) => {
    const { caught, exitCode } = await witness.report({ ...files, [holder]: test }, command, { mode: "record" });
    expect(exitCode).toBe(0);
    expect(caught).toEqual([{ by: Object.keys(files)[0], holder }]);
  });

  it("is nothing where the test itself asked, and its message is as ever", async () => {
    const files = { "a.test.js": `${begin}test('a', () => assert.strictEqual(1, 2));\n` };
    const { caught, exitCode } = await witness.report(files, "node --test", { mode: "record" });
    expect({ caught, exitCode }).toEqual({ caught: [], exitCode: 1 });
  });
});
