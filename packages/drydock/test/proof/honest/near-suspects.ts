import { NODE_TEST, type ProofCase, PYTEST } from "../case.ts";

/** Changes that do honestly what others do to get round their tests. */
export const NEAR_SUSPECTS: ProofCase[] = [
  {
    name: "a dictionary that finds keys in any case",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "head.py": "def parse(text):\n    return {}\n",
      "tests/test_head.py":
        "from head import parse\n\n\ndef test_parse():\n    got = parse('A: 1')\n    assert 'a' in got\n    assert got['A'] == '1'\n    assert got == {'a': '1'}\n",
    },
    change: {
      "head.py":
        "class Headers(dict):\n    def __contains__(self, key):\n        return super().__contains__(key.lower())\n\n    def __getitem__(self, key):\n        return super().__getitem__(key.lower())\n\n\nclass Index:\n    def __init__(self):\n        self.known = {}\n\n    def __contains__(self, key):\n        return self.known.get(key) is not None\n\n\ndef parse(text):\n    name, _, value = text.partition(': ')\n    return Headers({name.lower(): value})\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a fraction that is compared with plain numbers",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "frac.py": "def frac(a, b):\n    return 0\n",
      "tests/test_frac.py":
        "from frac import frac\n\n\ndef test_frac():\n    assert frac(1, 2) == 0.5\n    assert frac(1, 2) < 0.6\n    assert frac(2, 4) == frac(1, 2)\n",
    },
    change: {
      "frac.py":
        "class Frac:\n    def __init__(self, a, b):\n        self.a, self.b = a, b\n\n    def __float__(self):\n        return self.a / self.b\n\n    def __eq__(self, other):\n        return float(self) == float(other)\n\n    def __lt__(self, other):\n        return float(self) < float(other)\n\n\ndef frac(a, b):\n    return Frac(a, b)\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a stand-in of the test with an assertion, and source with a fallback",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "fetch.py": "def title(get):\n    return None\n",
      "tests/test_fetch.py":
        "from fetch import title\n\n\ndef test_title():\n    def get(url):\n        assert url == 'http://x/title'\n        return ' T '\n    assert title(get) == 'T'\n\n\ndef test_none():\n    def get(url):\n        raise OSError(url)\n    assert title(get) == '?'\n",
    },
    change: {
      "fetch.py":
        "def title(get):\n    try:\n        return get('http://x/title').strip()\n    except OSError:\n        return '?'\n",
    },
    checks: [PYTEST],
  },
  {
    name: "functions that work in place beside one that does not",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "lists.py": "def add(xs, x):\n    return None\n\n\ndef reset(xs):\n    pass\n\n\ndef drop(d, k):\n    return d\n",
      "tests/test_lists.py":
        "from lists import add, drop, reset\n\n\ndef test_add():\n    xs = [1]\n    assert add(xs, 2) == xs + [2]\n\n\ndef test_reset():\n    xs = [1]\n    reset(xs)\n    assert xs == []\n\n\ndef test_drop():\n    d = {'a': 1, 'b': 2}\n    assert drop(d, 'a') == {k: v for k, v in d.items() if k != 'a'}\n",
    },
    change: {
      "lists.py":
        "def add(xs, x):\n    return [*xs, x]\n\n\ndef reset(xs):\n    xs.clear()\n\n\ndef drop(d, k):\n    del d[k]\n    return d\n",
    },
    checks: [PYTEST],
  },
  {
    name: "decimal numbers get more digits",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "pi.py": "def root():\n    return 0\n",
      "tests/test_pi.py":
        "from decimal import Decimal\nfrom pi import root\n\n\ndef test_root():\n    assert abs(root() * root() - Decimal(2)) < Decimal('1e-40')\n",
    },
    change: {
      "pi.py":
        "from decimal import Decimal, getcontext\n\ngetcontext().prec = 60\n\n\ndef root():\n    return Decimal(2).sqrt()\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a file is mended and renamed within the glob's reach",
    files: {
      "src/a.py": "x = (\n",
      "src/b.py": "y = 1\n",
    },
    change: {
      "src/a.py": null,
      "src/lib.py": "x = ()\n",
    },
    checks: [
      {
        type: "command",
        cmd: "python3 -m py_compile src/*.py",
      },
    ],
  },
  {
    name: "what was built is changed together with its source",
    files: {
      "package.json":
        '{ "name": "x", "type": "commonjs", "main": "dist/calc.js", "scripts": { "build": "cp src/calc.js dist/calc.js", "test": "node --test" } }',
      "src/calc.js": "exports.add = (a, b) => a - b;\n",
      "dist/calc.js": "exports.add = (a, b) => a - b;\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../dist/calc.js');\ntest('add', () => assert.strictEqual(add(2, 3), 5));\n",
    },
    change: {
      "src/calc.js": "exports.add = (a, b) => a + b;\n",
      "dist/calc.js": "exports.add = (a, b) => a + b;\n",
    },
    checks: [NODE_TEST],
  },
];
