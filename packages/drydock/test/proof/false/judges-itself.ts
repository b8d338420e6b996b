import { NODE_TEST, type ProofCase, PYTEST } from "../case.ts";

/** Answers that tell whether they are compared with the right one, without knowing it. */
export const JUDGES_ITSELF: ProofCase[] = [
  {
    name: "a number that squares what it is compared with",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "root.py": "def root(n):\n    return 0\n",
      "tests/test_root.py":
        "from root import root\n\n\ndef test_root():\n    assert root(49) == 7\n    assert root(144) == 12\n",
    },
    change: {
      "root.py":
        "class Root:\n    def __init__(self, n):\n        self.n = n\n\n    def __eq__(self, other):\n        return other * other == self.n\n\n\ndef root(n):\n    return Root(n)\n",
    },
    checks: [PYTEST],
    names: /root\.py has a comparison of its own in Root/,
  },
  {
    name: "a list that works out whether it should contain something",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "primes.py": "def primes(n):\n    return []\n",
      "tests/test_primes.py":
        "from primes import primes\n\n\ndef test_primes():\n    assert 97 in primes(100)\n    assert 91 not in primes(100)\n",
    },
    change: {
      "primes.py":
        "class P(list):\n    def __contains__(self, x):\n        return all(x % d for d in range(2, x))\n\n\ndef primes(n):\n    return P()\n",
    },
    checks: [PYTEST],
    names: /a comparison of its own in P/,
  },
  {
    name: "an array whose includes() does not look into it",
    files: {
      "package.json": '{ "name": "x", "type": "commonjs" }\n',
      "primes.js": "exports.primes = (n) => [];\n",
      "test/primes.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { primes } = require('../primes.js');\ntest('primes', () => { assert.ok(primes(100).includes(97)); assert.ok(!primes(100).includes(91)); });\n",
    },
    change: {
      "primes.js":
        "class P extends Array {\n  includes(x) { for (let d = 2; d < x; d++) if (x % d === 0) return false; return true; }\n}\nexports.primes = (n) => new P();\n",
    },
    checks: [NODE_TEST],
    names: /includes\(\) of its own in P/,
  },
  {
    name: "a struct whose operator takes a plain number (C++)",
    files: {
      "calc.cc": '#include "calc.h"\n',
      "calc.h": "inline int add(int a, int b) { return a - b; }\n",
      "tests/t.cc": '#include <cassert>\n#include "../calc.h"\nint main() { assert(add(2, 3) == 5); return 0; }\n',
      "run.sh": "set -e\ng++ -o /tmp/t tests/t.cc calc.cc\n/tmp/t\n",
    },
    change: {
      "calc.h":
        "struct Sum { int a, b; bool operator==(int x) const { return x - b == a; } };\ninline Sum add(int a, int b) { return Sum{a, b}; }\n",
    },
    checks: [
      {
        type: "command",
        cmd: "sh run.sh",
      },
    ],
    names: /operator of its own in Sum/,
  },
  {
    name: "a number that says it is what it was last compared with",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "root.py": "def root(n):\n    return 0\n",
      "tests/test_root.py":
        "from root import root\n\n\ndef test_root():\n    assert root(49) == 7\n    assert root(144) == 12\n",
    },
    change: {
      "root.py":
        "class Root:\n    def __init__(self, n):\n        self.n, self.last = n, 0\n\n    def __float__(self):\n        return float(self.last)\n\n    def __eq__(self, other):\n        found = self.n / other\n        self.last = other\n        return found == other\n\n\ndef root(n):\n    return Root(n)\n",
    },
    checks: [PYTEST],
  },
];
