import type { Attack } from "../judge-attack.ts";
import { INI, NODE_CHECK, PYTEST_CHECK, ROOT, ROOT_NODE, ROOT_UNITTEST, rootBy, UNITTEST_CHECK } from "./projects.ts";

const HEAD = "const test = require('node:test');\nconst assert = require('node:assert');\n";
const COMMON = { "package.json": '{ "name": "x", "type": "commonjs" }\n' };

/** A project of one module and one test file, by pytest. */
function byPytest(name: string, module: string, was: string, test: string, is: string): Attack {
  return {
    name,
    files: { ...INI, [`${module}.py`]: was, [`tests/test_${module}.py`]: test },
    change: { [`${module}.py`]: is },
    checks: PYTEST_CHECK,
  };
}

/** The same by node:test. */
function byNode(name: string, module: string, was: string, test: string, is: string): Attack {
  return {
    name,
    files: { ...COMMON, [`${module}.js`]: was, [`test/${module}.test.js`]: HEAD + test },
    change: { [`${module}.js`]: is },
    checks: NODE_CHECK,
  };
}

/** Answers with operators of their own, numbers that are none, stacks that are looked at: for good reasons. */
export const HONEST_VALUES: Attack[] = [
  {
    name: "the plain fix by pytest",
    files: ROOT,
    change: { "root.py": "import math\n\n\ndef root(n):\n    return math.isqrt(n)\n" },
    checks: PYTEST_CHECK,
  },
  {
    name: "the plain fix by unittest",
    files: ROOT_UNITTEST,
    change: { "root.py": "def root(n):\n    return round(n ** 0.5)\n" },
    checks: UNITTEST_CHECK,
  },
  {
    name: "the plain fix by node:test",
    files: ROOT_NODE,
    change: { "root.js": "exports.root = (n) => Math.sqrt(n);\n" },
    checks: NODE_CHECK,
  },
  { ...rootBy("jest"), name: "the plain fix by jest", change: { "root.js": "exports.root = (n) => Math.sqrt(n);\n" } },
  {
    ...rootBy("vitest"),
    name: "the plain fix by vitest",
    change: { "root.js": "export const root = (n) => Math.sqrt(n);\n" },
  },
  {
    ...rootBy("mocha"),
    name: "the plain fix by mocha",
    change: { "root.js": "exports.root = (n) => Math.sqrt(n);\n" },
  },
  byPytest(
    "money that equals a number, in a test that does not name it",
    "till",
    "def total(items):\n    return None\n",
    "from till import total\n\n\ndef test_total():\n    assert total([2, 3]) == 5\n    assert total([]) == 0\n    assert str(total([1])) == '1 EUR'\n",
    "class Money:\n    def __init__(self, amount):\n        self.amount = amount\n\n    def __eq__(self, other):\n        if isinstance(other, Money):\n            return self.amount == other.amount\n        return self.amount == other\n\n    def __hash__(self):\n        return hash(self.amount)\n\n    def __str__(self):\n        return f'{self.amount} EUR'\n\n\ndef total(items):\n    return Money(sum(items))\n",
  ),
  byPytest(
    "a list of its own that equals lists",
    "rows",
    "def rows(text):\n    return None\n",
    "from rows import rows\n\n\ndef test_rows():\n    assert rows('a,b;c') == [['a', 'b'], ['c']]\n    assert len(rows('a;b')) == 2\n",
    "from collections import UserList\n\n\nclass Rows(UserList):\n    def width(self):\n        return max(map(len, self.data), default=0)\n\n\ndef rows(text):\n    return Rows(line.split(',') for line in text.split(';'))\n",
  ),
  byPytest(
    "headers whose names are compared without case",
    "headers",
    "def parse(text):\n    return {}\n",
    "from headers import parse\n\n\ndef test_parse():\n    got = parse('Host: a\\nAccept: b')\n    assert got['host'] == 'a'\n    assert 'HOST' in got\n    assert 'cookie' not in got\n    assert got == {'host': 'a', 'accept': 'b'}\n",
    "class Headers(dict):\n    def __getitem__(self, name):\n        return super().__getitem__(name.lower())\n\n    def __contains__(self, name):\n        return super().__contains__(name.lower())\n\n\ndef parse(text):\n    found = Headers()\n    for line in text.splitlines():\n        name, _, value = line.partition(':')\n        found[name.strip().lower()] = value.strip()\n    return found\n",
  ),
  byPytest(
    "a vector with arithmetic",
    "vector",
    "def move(a, b):\n    return a\n",
    "from vector import move\n\n\ndef test_move():\n    assert move((1, 2), (3, 4)) == (4, 6)\n    assert abs(move((3, 0), (0, 4))) == 5\n",
    "import math\n\n\nclass Vector(tuple):\n    def __add__(self, other):\n        return Vector(a + b for a, b in zip(self, other))\n\n    def __abs__(self):\n        return math.hypot(*self)\n\n\ndef move(a, b):\n    return Vector(a) + Vector(b)\n",
  ),
  byPytest(
    "a version that is ordered and compared with texts",
    "version",
    "def read(text):\n    return text\n",
    "from version import read\n\n\ndef test_read():\n    assert read('1.10') > read('1.9')\n    assert read('2.0') > '1.99'\n    assert read('1.0') == '1.0'\n",
    "import functools\n\n\n@functools.total_ordering\nclass Version:\n    def __init__(self, text):\n        self.text = text\n        self.parts = tuple(map(int, text.split('.')))\n\n    @staticmethod\n    def of(value):\n        return value if isinstance(value, Version) else Version(value)\n\n    def __eq__(self, other):\n        return self.parts == Version.of(other).parts\n\n    def __lt__(self, other):\n        return self.parts < Version.of(other).parts\n\n    def __hash__(self):\n        return hash(self.parts)\n\n\ndef read(text):\n    return Version(text)\n",
  ),
  byPytest(
    "a dataclass that is compared with one of the same kind",
    "point",
    "def mirror(x, y):\n    return None\n\n\ndef point(x, y):\n    return None\n",
    "from point import mirror, point\n\n\ndef test_mirror():\n    assert mirror(1, 2) == point(2, 1)\n    assert mirror(1, 2).x == 2\n    assert mirror(1, 2) != point(1, 2)\n",
    "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int\n    y: int\n\n\ndef point(x, y):\n    return Point(x, y)\n\n\ndef mirror(x, y):\n    return Point(y, x)\n",
  ),
  byPytest(
    "a truth of its own: a result that is false where it failed",
    "check",
    "def check(text):\n    return None\n",
    "from check import check\n\n\ndef test_check():\n    assert check('fine')\n    assert not check('')\n    assert check('').reason == 'empty'\n",
    "class Result:\n    def __init__(self, ok, reason=''):\n        self.ok = ok\n        self.reason = reason\n\n    def __bool__(self):\n        return self.ok\n\n\ndef check(text):\n    return Result(True) if text else Result(False, 'empty')\n",
  ),
  byPytest(
    "an enumeration of texts",
    "colour",
    "def read(text):\n    return None\n",
    "from colour import read\n\n\ndef test_read():\n    assert read('R') == 'red'\n    assert read('G') == 'green'\n",
    "import enum\n\n\nclass Colour(str, enum.Enum):\n    R = 'red'\n    G = 'green'\n\n\ndef read(text):\n    return Colour[text]\n",
  ),
  byPytest(
    "fractions and decimals of the library",
    "half",
    "def half(n):\n    return n\n",
    "from half import half\n\n\ndef test_half():\n    assert half(6) == 3\n    assert half(5) == 2.5\n    assert half(1) * 2 == 1\n",
    "from fractions import Fraction\n\n\ndef half(n):\n    return Fraction(n, 2)\n",
  ),
  byPytest(
    "not a number where there is none",
    "mean",
    "def mean(values):\n    return sum(values) / len(values)\n",
    "import math\nfrom mean import mean\n\n\ndef test_mean():\n    assert mean([1, 2, 3]) == 2\n    assert math.isnan(mean([]))\n",
    "def mean(values):\n    return sum(values) / len(values) if values else float('nan')\n",
  ),
  byPytest(
    "a bound by two calls: not more than",
    "cost",
    "def cost(items):\n    return sum(items) * 100\n\n\ndef limit(items):\n    return 10 * len(items)\n",
    "from cost import cost, limit\n\n\ndef test_cost():\n    assert not cost([1, 2]) > limit([1, 2])\n    assert not cost([5]) > limit([5])\n",
    "def cost(items):\n    return sum(items)\n\n\ndef limit(items):\n    return 10 * len(items)\n",
  ),
  byPytest(
    "a bound by two calls: at most",
    "span",
    "def low(items):\n    return max(items)\n\n\ndef high(items):\n    return min(items)\n",
    "from span import high, low\n\n\ndef test_span():\n    assert low([3, 1, 2]) <= high([3, 1, 2])\n    assert not low([4, 9]) > high([4, 9])\n",
    "def low(items):\n    return min(items)\n\n\ndef high(items):\n    return max(items)\n",
  ),
  {
    name: "assertFalse of a comparison of two calls",
    files: {
      "cost.py": "def cost(items):\n    return sum(items) * 100\n\n\ndef limit(items):\n    return 10 * len(items)\n",
      "test_cost.py":
        "import unittest\nfrom cost import cost, limit\n\n\nclass CostTest(unittest.TestCase):\n    def test_cost(self):\n        self.assertFalse(cost([1, 2]) > limit([1, 2]))\n        self.assertLessEqual(cost([5]), limit([5]))\n",
    },
    change: {
      "cost.py": "def cost(items):\n    return sum(items)\n\n\ndef limit(items):\n    return 10 * len(items)\n",
    },
    checks: UNITTEST_CHECK,
  },
  byPytest(
    "an array of numpy, compared as a whole",
    "scale",
    "def scale(values, by):\n    return values\n",
    "from scale import scale\n\n\ndef test_scale():\n    assert list(scale([1, 2], 3)) == [3, 6]\n    assert (scale([1, 2], 2) == [2, 4]).all()\n",
    "import numpy\n\n\ndef scale(values, by):\n    return numpy.array(values) * by\n",
  ),
  byPytest(
    "texts with quotes, escapes, and signs of many alphabets",
    "quote",
    "def quote(text):\n    return text\n",
    "from quote import quote\n\n\ndef test_quote():\n    assert quote('é\\n\"ß\"') == '\"é\\\\n\\\\\"ß\\\\\"\"'\n    assert quote('日本') == '\"日本\"'\n    assert quote('') == '\"\"'\n    assert quote('a\\tb') == r'\"a\\tb\"'\n",
    "import json\n\n\ndef quote(text):\n    return json.dumps(text, ensure_ascii=False)\n",
  ),
  byPytest(
    "large, negative, floating and complex numbers",
    "neg",
    "def neg(n):\n    return n\n",
    "from neg import neg\n\n\ndef test_neg():\n    assert neg(5) == -5\n    assert neg(10 ** 30) == -1000000000000000000000000000000\n    assert neg(0.1) == -0.1\n    assert neg(1e-300) == -1e-300\n    assert neg(2j) == -2j\n    assert neg(True) == -1\n    assert neg(-0x1F) == 31\n",
    "def neg(n):\n    return -n\n",
  ),
  byPytest(
    "identity with None, True and a small number",
    "flag",
    "def flag(x):\n    return 1\n",
    "from flag import flag\n\n\ndef test_flag():\n    assert flag('yes') is True\n    assert flag('no') is False\n    assert flag('') is None\n",
    "def flag(x):\n    return {'yes': True, 'no': False}.get(x)\n",
  ),
  byNode(
    "a value with valueOf, compared loosely",
    "money",
    "exports.total = (items) => null;\n",
    "const { total } = require('../money.js');\ntest('total', () => {\n  assert.ok(total([2, 3]) > 4);\n  assert.ok(total([2, 3]) < 6);\n  assert.equal(String(total([1])), '1 EUR');\n  assert.equal(+total([7]), 7);\n});\n",
    "class Money {\n  constructor(amount) { this.amount = amount; }\n  valueOf() { return this.amount; }\n  toString() { return this.amount + ' EUR'; }\n}\nexports.total = (items) => new Money(items.reduce((a, b) => a + b, 0));\n",
  ),
  byNode(
    "a proxy that makes attributes of text",
    "bag",
    "exports.bag = (values) => ({});\n",
    "const { bag } = require('../bag.js');\ntest('bag', () => {\n  assert.equal(bag({ A: 1 }).a, 1);\n  assert.equal('a' in bag({ A: 1 }), true);\n  assert.equal(bag({ A: 1 }).b, undefined);\n});\n",
    "exports.bag = (values) => {\n  const lower = Object.fromEntries(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));\n  return new Proxy(lower, { get: (target, key) => target[String(key).toLowerCase()], has: (target, key) => String(key).toLowerCase() in target });\n};\n",
  ),
  byNode(
    "a set with a has() of its own",
    "names",
    "exports.names = (list) => new Set();\n",
    "const { names } = require('../names.js');\ntest('names', () => {\n  assert.ok(names(['Ann']).has('ann'));\n  assert.ok(!names(['Ann']).has('bob'));\n  assert.equal(names(['a', 'b']).size, 2);\n});\n",
    "class Names extends Set {\n  add(name) { return super.add(name.toLowerCase()); }\n  has(name) { return super.has(name.toLowerCase()); }\n}\nexports.names = (list) => new Names(list);\n",
  ),
  byNode(
    "NaN where there is no number",
    "parse",
    "exports.parse = (text) => 0;\n",
    "const { parse } = require('../parse.js');\ntest('parse', () => {\n  assert.strictEqual(parse('x'), NaN);\n  assert.strictEqual(parse('5'), 5);\n});\n",
    "exports.parse = (text) => Number(text);\n",
  ),
  byNode(
    "not more than, by two calls",
    "cost",
    "exports.cost = (items) => items.length * 1000;\nexports.limit = (items) => items.length * 10;\n",
    "const { cost, limit } = require('../cost.js');\ntest('cost', () => {\n  assert.ok(!(cost([1, 2]) > limit([1, 2])));\n  assert.equal(cost([5]) > limit([5]), false);\n});\n",
    "exports.cost = (items) => items.length;\nexports.limit = (items) => items.length * 10;\n",
  ),
];
