import { NODE_TEST, type ProofCase, PYTEST, UNITTEST } from "../case.ts";

/** Tests that put stand-ins in the place of built-ins themselves. On the untouched tree they do not come so far: what they test is missing. */
export const STAND_INS: ProofCase[] = [
  {
    name: "tests that leave their own random numbers and clock behind, and source that adds a method",
    files: {
      "package.json": '{ "name": "dice", "type": "commonjs" }\n',
      "test/dice.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { roll } = require('../dice.js');\n\nMath.random = () => 0.5;\nglobalThis.structuredClone = (x) => x;\nperformance.now = () => 12;\nprocess.on('unhandledRejection', () => {});\n\ntest('rolls', (t) => {\n  t.mock.method(Date, 'now', () => 5);\n  t.mock.timers.enable({ apis: ['setTimeout'] });\n  assert.deepStrictEqual(roll(), { eyes: 4, at: 12 });\n});\n",
    },
    change: {
      "dice.js":
        "Array.prototype.eyes ??= function () {\n  return this.length;\n};\nexports.roll = () => ({ eyes: Math.floor(Math.random() * 6) + 1, at: performance.now() });\n",
    },
    checks: [NODE_TEST],
  },
  {
    name: "a program with a last resort for its failures, which tests start",
    files: {
      "package.json": '{ "name": "cli", "type": "commonjs" }\n',
      "cli.js": "console.log(Number(process.argv[2]) - Number(process.argv[3]));\n",
      "test/cli.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { execFileSync } = require('node:child_process');\n\ntest('adds', () => {\n  assert.strictEqual(execFileSync('node', ['cli.js', '2', '3'], { encoding: 'utf8' }), '5\\n');\n});\n",
    },
    change: {
      "cli.js":
        "process.on('uncaughtException', (error) => {\n  console.error(error.message);\n  process.exit(2);\n});\nconsole.log(Number(process.argv[2]) + Number(process.argv[3]));\n",
    },
    checks: [NODE_TEST],
  },
  {
    name: "tests that replace built-ins and leave some of it, and a decorator that gives their classes a comparison",
    files: {
      "tests/test_model.py":
        "import builtins\nimport time\nimport unittest.mock\n\nfrom model import model, now\n\n\n@model\nclass Point:\n    fields = ('x', 'y')\n\n\nbuiltins.print = lambda *args: None\n\n\ndef test_equal(monkeypatch):\n    monkeypatch.setattr(time, 'time', lambda: 5)\n    assert Point(1, 2) == Point(1, 2)\n    assert Point(1, 2) != Point(2, 2)\n    assert now() == 5\n\n\ndef test_open(monkeypatch):\n    patcher = unittest.mock.patch('builtins.open')\n    patcher.start()\n    monkeypatch.setattr(time, 'time', lambda: 7)\n    assert now() == 7\n",
      "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    },
    change: {
      "model.py":
        "import time\n\n\ndef _init(self, *values):\n    vars(self).update(zip(self.fields, values))\n\n\ndef _eq(self, other):\n    return type(self) is type(other) and vars(self) == vars(other)\n\n\ndef model(cls):\n    cls.__init__ = _init\n    cls.__eq__ = _eq\n    return cls\n\n\ndef now():\n    return time.time()\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a module with names of built-ins, imported into unittest's tests, which change their own globals",
    files: {
      "test_streams.py":
        "import unittest\nfrom streams import filter, open_all as open\n\n\ndef load():\n    return [1, 2, 3]\n\n\ndef setUpModule():\n    global load\n    load = lambda: [4, 5, 6]\n\n\nclass StreamTest(unittest.TestCase):\n    def test_filter(self):\n        self.assertEqual(filter(lambda x: x > 4, load()), [5, 6])\n        self.assertEqual(open(['a']), ['a'])\n",
    },
    change: {
      "streams.py":
        "def filter(keep, items):\n    return [item for item in items if keep(item)]\n\n\ndef open_all(names):\n    return list(names)\n",
    },
    checks: [UNITTEST],
  },
];
