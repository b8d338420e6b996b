import { NODE_TEST, type ProofCase, PYTEST } from "../case.ts";

const MAKE = { type: "command", cmd: "make check" };
const MAKEFILE =
  "check: build/table.txt\n\tdiff build/table.txt expected/table.txt\n\nbuild/table.txt: gen.py\n\tmkdir -p build && python3 gen.py > build/table.txt\n";

/** The answer is brought along from where it lies already: a product of the build, or the tests' own code. */
export const BROUGHT_ALONG: ProofCase[] = [
  {
    name: "a product that the build finds up to date is added, what makes it stays wrong",
    files: {
      Makefile: MAKEFILE,
      "gen.py": "for n in range(1, 4):\n    print(n, n + n)\n",
      "expected/table.txt": "1 1\n2 4\n3 9\n",
    },
    change: { "build/table.txt": "1 1\n2 4\n3 9\n" },
    checks: [MAKE],
    names: /build\/table\.txt was added, and the check makes it by itself/,
  },
  {
    name: "source imports the reference of the tests (Python)",
    files: {
      "fast/__init__.py": "",
      "fast/lev.py": "def distance(a, b):\n    return 0\n",
      "tests/__init__.py": "",
      "tests/reference.py":
        "def distance(a, b):\n    if not a or not b:\n        return len(a) + len(b)\n    return min(distance(a[1:], b) + 1, distance(a, b[1:]) + 1, distance(a[1:], b[1:]) + (a[0] != b[0]))\n",
      "tests/test_lev.py":
        "from fast.lev import distance\nfrom tests import reference\n\n\ndef test_like_reference():\n    assert distance('kit', 'sat') == reference.distance('kit', 'sat')\n\n\ndef test_known():\n    assert distance('abc', 'abd') == 1\n",
      "pytest.ini": "[pytest]\npythonpath = .\n",
    },
    change: { "fast/lev.py": "from tests.reference import distance\n" },
    checks: [PYTEST],
    names: /fast\/lev\.py, which was changed, loads tests\/reference\.py/,
  },
  {
    name: "source loads the oracle of the tests by a path that it puts together",
    files: {
      "package.json": '{ "name": "fib", "type": "commonjs" }\n',
      "src/fib.js": "exports.fib = (n) => n;\n",
      "test/support/oracle.js": "const slow = (n) => (n < 2 ? n : slow(n - 1) + slow(n - 2));\nexports.slow = slow;\n",
      "test/fib.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { fib } = require('../src/fib.js');\nconst { slow } = require('./support/oracle.js');\n\ntest('as the slow one', () => {\n  for (let n = 0; n < 10; n++) assert.strictEqual(fib(n), slow(n));\n});\n",
    },
    change: {
      "src/fib.js":
        "const { join } = require('node:path');\nexports.fib = require(join(__dirname, '..', 'te' + 'st', 'support', 'ora' + 'cle.js')).slow;\n",
    },
    checks: [NODE_TEST],
    names: /src\/fib\.js, which was changed, loads test\/support\/oracle\.js/,
  },
];
