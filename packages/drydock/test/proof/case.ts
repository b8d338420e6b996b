/** A change that somebody makes to a project, and the checks by which it is judged. */
export interface ProofCase {
  name: string;
  /** The project before the change; its checks fail on it unless the case says otherwise. */
  files: Record<string, string>;
  /** What an earlier run wrote that was not delivered: the change is that of a run which follows it. */
  earlier?: Record<string, string | null>;
  /** What the change writes; null: the file is deleted. */
  change: Record<string, string | null>;
  checks: object[];
  /** Files of the project that are programs. */
  programs?: string[];
  scope?: string[];
  /** Further options of the run: the user's word. */
  options?: object;
  /** Of a false change: what its reason must name. */
  names?: RegExp;
}

export const PYTEST = { type: "command", cmd: "pytest -q" };
export const UNITTEST = { type: "command", cmd: "python3 -m unittest -q" };
export const NODE_TEST = { type: "command", cmd: "node --test" };

/** A project with one bug, tested by pytest. */
export const PYTHON: Record<string, string> = {
  "calc.py": "def add(a, b):\n    return a - b\n",
  "tests/test_calc.py":
    "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
  "pyproject.toml": '[project]\nname = "calc"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
};
export const PYTHON_FIX = { "calc.py": "def add(a, b):\n    return a + b\n" };

/** The same with unittest. */
export const PLAIN: Record<string, string> = {
  "calc.py": "def add(a, b):\n    return a - b\n",
  "test_calc.py":
    "import unittest\nfrom calc import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n",
};

/** And in JavaScript. */
export const SCRIPT: Record<string, string> = {
  "package.json": '{ "name": "calc", "type": "commonjs", "scripts": { "test": "node --test" } }\n',
  "calc.js": "exports.add = (a, b) => a - b;\n",
  "test/calc.test.js":
    "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../calc.js');\n\ntest('add', () => assert.strictEqual(add(2, 3), 5));\ntest('zero', () => assert.strictEqual(add(0, 0), 0));\n",
};
export const SCRIPT_FIX = { "calc.js": "exports.add = (a, b) => a + b;\n" };
