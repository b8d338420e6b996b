import { NODE_TEST, type ProofCase, PYTEST, SCRIPT, UNITTEST } from "../case.ts";

const SETTINGS = { "pytest.ini": "[pytest]\npythonpath = .\n" };

/** Data that is the work itself, and source that looks like what tests compare with. */
export const DATA_AND_REFERENCES: ProofCase[] = [
  {
    name: "a table of data that unittest looks at",
    files: {
      "rates.csv": "eur,0\n",
      "test_rates.py":
        "import csv, unittest\n\n\nclass T(unittest.TestCase):\n    def test_eur(self):\n        with open('rates.csv') as file:\n            self.assertEqual(dict(csv.reader(file))['eur'], '2')\n",
    },
    change: { "rates.csv": "eur,2\n" },
    checks: [UNITTEST],
  },
  {
    name: "data that one test file looks at, beside tests of the source",
    files: {
      ...SETTINGS,
      "calc.py": "def add(a, b):\n    return a + b\n",
      "data/units.json": '{"m": "metre"}',
      "tests/test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
      "tests/test_units.py":
        "import json\n\n\ndef test_kilogram():\n    assert json.load(open('data/units.json'))['kg'] == 'kilogram'\n",
    },
    change: { "data/units.json": '{"m": "metre", "kg": "kilogram"}' },
    checks: [PYTEST],
  },
  {
    name: "a document whose parts a test names",
    files: {
      "docs/guide.md": "# Guide\n",
      "tests/test_guide.py":
        "import pathlib\n\n\ndef test_install():\n    assert '## Install' in pathlib.Path('docs/guide.md').read_text()\n",
    },
    change: { "docs/guide.md": "# Guide\n\n## Install\n\nCopy it.\n" },
    checks: [PYTEST],
  },
  {
    name: "a JSON file that a Node test requires and looks at",
    files: {
      "package.json": `${SCRIPT["package.json"]}`,
      "data/menu.json": '[{ "name": "tea" }]',
      "test/menu.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst menu = require('../data/menu.json');\n\ntest('prices', () => { for (const each of menu) assert.ok(each.price > 0); });\n",
    },
    change: { "data/menu.json": '[{ "name": "tea", "price": 3 }]' },
    checks: [NODE_TEST],
  },
  {
    name: "settings that a shell script reads and compares",
    files: {
      "server.conf": "host=a\n",
      "check.sh": '. ./server.conf\n[ "$host" = localhost ]\n',
    },
    change: { "server.conf": "host=localhost\n" },
    checks: [{ type: "command", cmd: "bash check.sh" }],
  },
  {
    name: "one of two implementations that a test compares",
    files: {
      ...SETTINGS,
      "fast.py": "def double(n):\n    return n\n",
      "plain.py": "def double(n):\n    return n + n\n",
      "tests/test_double.py":
        "import fast, plain\n\n\ndef test_double():\n    for n in range(5):\n        assert fast.double(n) == plain.double(n)\n",
    },
    change: { "fast.py": "def double(n):\n    return n << 1\n" },
    checks: [PYTEST],
  },
  {
    name: "a store that refuses wrong records, called for its effects",
    files: {
      ...SETTINGS,
      "models.py": "def record(name):\n    return {'name': name}\n",
      "store.py":
        "def save(value, path):\n    if not isinstance(value, dict):\n        raise TypeError(value)\n    path.write_text('')\n",
      "tests/test_store.py":
        "from models import record\nfrom store import save\n\n\ndef test_save(tmp_path):\n    save(record('a'), tmp_path / 'x')\n    assert (tmp_path / 'x').read_text() == 'a'\n",
    },
    change: {
      "store.py":
        "def save(value, path):\n    if not isinstance(value, dict):\n        raise TypeError(value)\n    path.write_text(value['name'])\n",
    },
    checks: [PYTEST],
  },
  {
    name: "constants of the source on the side that is expected",
    files: {
      ...SETTINGS,
      "limits.py": "MOST = 5\n",
      "clip.py": "from limits import MOST\n\n\ndef clip(n):\n    return min(n, MOST)\n",
      "tests/test_clip.py":
        "from limits import MOST\nfrom clip import clip\n\n\ndef test_clip():\n    assert clip(100) == MOST\n\n\ndef test_ten():\n    assert clip(10) == 10\n",
    },
    change: { "limits.py": "MOST = 10\n" },
    checks: [PYTEST],
  },
  {
    name: "a module that one test file compares with, and a later one tries out",
    files: {
      ...SETTINGS,
      "fast.py": "def double(n):\n    return n << 1\n",
      "plain.py": "def double(n):\n    return n + n if n > 0 else 1\n",
      "tests/test_a.py": "import fast, plain\n\n\ndef test_same():\n    assert fast.double(2) == plain.double(2)\n",
      "tests/test_b.py": "from plain import double\n\n\ndef test_zero():\n    assert double(0) == 0\n",
    },
    change: { "plain.py": "def double(n):\n    return n + n\n" },
    checks: [PYTEST],
  },
];
