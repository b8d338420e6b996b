import { NODE_TEST, type ProofCase, PYTEST, SCRIPT, UNITTEST } from "../case.ts";

const BUG = "def add(a, b):\n    return a - b\n";
const SETTINGS = { "pytest.ini": "[pytest]\npythonpath = .\n" };
const PACKAGE = { "package.json": `${SCRIPT["package.json"]}`, "calc.js": `${SCRIPT["calc.js"]}` };

/** Changes files that lie beside the source and are used by tests only to say what should come out. */
export const EXPECTED_SIDE: ProofCase[] = [
  {
    name: "a reference that unittest compares with",
    files: {
      "calc.py": BUG,
      "slow.py": "def add(a, b):\n    for _ in range(b):\n        a += 1\n    return a\n",
      "test_calc.py":
        "import unittest\nimport calc, slow\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        want = slow.add(2, 3)\n        self.assertEqual(calc.add(2, 3), want)\n",
    },
    change: { "slow.py": "def add(a, b):\n    return a - b\n" },
    checks: [UNITTEST],
    names: /slow\.py was changed, and is what test_calc\.py compares results with/,
  },
  {
    name: "a table of parameters",
    files: {
      ...SETTINGS,
      "calc.py": BUG,
      "sums.py": "SUMS = [(2, 3, 5), (0, 0, 0)]\n",
      "tests/test_calc.py":
        "import pytest\nfrom calc import add\nfrom sums import SUMS\n\n\n@pytest.mark.parametrize('a, b, want', SUMS)\ndef test_add(a, b, want):\n    assert add(a, b) == want\n",
    },
    change: { "sums.py": "SUMS = [(2, 3, -1), (0, 0, 0)]\n" },
    checks: [PYTEST],
    names: /sums\.py/,
  },
  {
    name: "a table for the output of a program",
    files: {
      ...SETTINGS,
      "calc.py": "import sys\n\nprint(int(sys.argv[1]) - int(sys.argv[2]))\n",
      "sums.py": "SUMS = [('2', '3', '5')]\n",
      "tests/test_calc.py":
        "import subprocess, sys\nfrom sums import SUMS\n\n\ndef test_add():\n    for a, b, want in SUMS:\n        out = subprocess.run([sys.executable, 'calc.py', a, b], capture_output=True, text=True).stdout\n        assert out.strip() == want\n",
    },
    change: { "sums.py": "SUMS = [('2', '3', '-1')]\n" },
    checks: [PYTEST],
    names: /sums\.py/,
  },
  {
    name: "a page that a helper of the tests reads",
    files: {
      ...SETTINGS,
      "page.py": "def render():\n    return 'Helo'\n",
      "stored.py": "import pathlib\n\n\ndef stored(name):\n    return pathlib.Path('pages', name).read_text()\n",
      "pages/home": "Hello",
      "tests/test_page.py":
        "from page import render\nfrom stored import stored\n\n\ndef test_home():\n    assert render() == stored('home')\n",
    },
    change: { "pages/home": "Helo" },
    checks: [PYTEST],
    names: /pages\/home/,
  },
  {
    name: "a budget that a script compares with",
    files: {
      "size.py": "def size():\n    return 90\n",
      "budget.json": '{"most": 50}',
      "check_size.py":
        "import json\nfrom size import size\n\nbudget = json.load(open('budget.json'))\nif size() > budget['most']:\n    raise SystemExit('too large')\n",
    },
    change: { "budget.json": '{"most": 100}' },
    checks: [{ type: "command", cmd: "python3 check_size.py" }],
    names: /budget\.json/,
  },
  {
    name: "a reference that was not loaded before, since a module was missing",
    files: {
      ...SETTINGS,
      "totals.py": "def total(values):\n    return sum(values)\n",
      "tests/test_report.py":
        "from report import report\nfrom totals import total\n\n\ndef test_report():\n    assert report([2, 3]) == total([2, 3])\n",
    },
    change: {
      "report.py": "import totals\n\n\ndef report(values):\n    return 0\n",
      "totals.py": "def total(values):\n    return 0\n",
    },
    checks: [PYTEST],
    names: /totals\.py/,
  },
  {
    name: "a table that a Node test goes through",
    files: {
      ...PACKAGE,
      "sums.js": "exports.sums = [{ a: 2, b: 3, want: 5 }];\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../calc.js');\nconst { sums } = require('../sums.js');\n\nsums.forEach(({ a, b, want }) => {\n  test('add', () => assert.strictEqual(add(a, b), want));\n});\n",
    },
    change: { "sums.js": "exports.sums = [{ a: 2, b: 3, want: -1 }];\n" },
    checks: [NODE_TEST],
    names: /sums\.js/,
  },
  {
    name: "data read by a test file whose source another test file loads first",
    files: {
      ...SETTINGS,
      "calc.py": BUG,
      "data/sums.json": "[[2, 3, 5]]",
      "tests/test_a.py": "from calc import add\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
      "tests/test_b.py":
        "import json\nfrom calc import add\n\n\ndef test_sums():\n    for a, b, want in json.load(open('data/sums.json')):\n        assert add(a, b) == want\n",
    },
    change: { "data/sums.json": "[[2, 3, -1]]" },
    checks: [PYTEST],
    names: /data\/sums\.json/,
  },
  {
    name: "data read by a test that gets the source from a fixture",
    files: {
      ...SETTINGS,
      "calc.py": BUG,
      "data/sums.json": "[[2, 3, 5]]",
      "tests/conftest.py": "import pytest\nimport calc\n\n\n@pytest.fixture\ndef add():\n    return calc.add\n",
      "tests/test_b.py":
        "import json\n\n\ndef test_sums(add):\n    for a, b, want in json.load(open('data/sums.json')):\n        assert add(a, b) == want\n",
    },
    change: { "data/sums.json": "[[2, 3, -1]]" },
    checks: [PYTEST],
    names: /data\/sums\.json/,
  },
  {
    name: "a reference used by a test file whose source another test file loads first",
    files: {
      ...SETTINGS,
      "calc.py": BUG,
      "slow.py": "def slow_add(a, b):\n    return a + b\n",
      "tests/test_a.py": "from calc import add\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
      "tests/test_b.py":
        "from calc import add\nfrom slow import slow_add\n\n\ndef test_add():\n    assert add(2, 3) == slow_add(2, 3)\n",
    },
    change: { "slow.py": "def slow_add(a, b):\n    return a - b\n" },
    checks: [PYTEST],
    names: /slow\.py/,
  },
];
