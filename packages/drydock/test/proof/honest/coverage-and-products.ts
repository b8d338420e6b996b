import { NODE_TEST, type ProofCase, PYTEST, PYTHON } from "../case.ts";
import { COVERED, NPM_TEST } from "../coverage.ts";

const MAKE = { type: "command", cmd: "make check" };
const TABLE =
  "check: build/table.txt\n\tdiff build/table.txt expected/table.txt\n\nbuild/table.txt: gen.py\n\tmkdir -p build && python3 gen.py > build/table.txt\n";

/** Changes to what checks measure and make. */
export const COVERAGE_AND_PRODUCTS: ProofCase[] = [
  {
    name: "tests alone, where the check asks for coverage",
    files: COVERED,
    change: {
      "test/more.test.js":
        "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { a } from '../src/a.js';\n\ntest('more', () => assert.equal(a(6), 13));\n",
    },
    checks: [NPM_TEST],
  },
  {
    name: "a fix, where the check asks for coverage",
    files: {
      ...COVERED,
      "src/a.js": "export const a = (x) => x - 1;\n",
    },
    change: { "src/a.js": "export const a = (x) => x;\n" },
    checks: [NPM_TEST],
  },
  {
    name: "what makes a product is mended, and the product comes along",
    files: {
      Makefile: TABLE,
      "gen.py": "for n in range(1, 4):\n    print(n, n + n)\n",
      "expected/table.txt": "1 1\n2 4\n3 9\n",
    },
    change: {
      "gen.py": "for n in range(1, 4):\n    print(n, n * n)\n",
      "build/table.txt": "1 1\n2 4\n3 9\n",
    },
    checks: [MAKE],
  },
  {
    name: "a product that is kept with the source, and was out of date, is made anew",
    files: {
      Makefile: TABLE.replace("build/table.txt: gen.py", ".PHONY: build/table.txt\nbuild/table.txt: gen.py"),
      "gen.py": "for n in range(1, 4):\n    print(n, n + n)\n",
      "build/table.txt": "1 1\n",
      "expected/table.txt": "1 1\n2 4\n3 9\n",
    },
    change: {
      "gen.py": "for n in range(1, 4):\n    print(n, n * n)\n",
      "build/table.txt": "1 1\n2 4\n3 9\n",
    },
    checks: [MAKE],
  },
  {
    name: "source uses a helper for tests that the package offers",
    files: {
      "package.json": '{ "name": "app", "type": "commonjs" }\n',
      "src/testing/clock.js": "exports.fixedClock = (at) => ({ now: () => at });\n",
      "src/demo.js": "exports.demo = () => null;\n",
      "test/demo.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { demo } = require('../src/demo.js');\nconst { fixedClock } = require('../src/testing/clock.js');\n\ntest('demo', () => assert.strictEqual(demo(), 'it is 5'));\ntest('clock', () => assert.strictEqual(fixedClock(3).now(), 3));\n",
    },
    change: {
      "src/demo.js":
        "const { fixedClock } = require('./testing/clock.js');\n\nexports.demo = () => 'it is ' + fixedClock(5).now();\n",
    },
    checks: [NODE_TEST],
  },
  {
    name: "new helpers of the tests use each other and the old ones",
    files: { ...PYTHON, "tests/__init__.py": "", "tests/numbers.py": "PAIRS = [(1, 2)]\n" },
    change: {
      "calc.py": "def add(a, b):\n    return a + b\n",
      "tests/more.py": "from tests.numbers import PAIRS\n\nMORE = [*PAIRS, (3, 4)]\n",
      "tests/test_more.py":
        "from calc import add\nfrom tests.more import MORE\n\n\ndef test_more():\n    assert [add(a, b) for a, b in MORE] == [3, 7]\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a script that the check runs loads the tests",
    files: {
      "package.json": '{ "name": "calc", "type": "commonjs" }\n',
      "calc.js": "exports.add = (a, b) => a - b;\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../calc.js');\n\ntest('add', () => assert.strictEqual(add(2, 3), 5));\n",
    },
    change: { "calc.js": "exports.add = (a, b) => a + b;\n", "all.js": "require('./test/calc.test.js');\n" },
    checks: [{ type: "command", cmd: "node all.js" }],
  },
  {
    name: "a library for the shell puts back what it sets",
    files: {
      "lib/run.sh": "status_of() { echo 0; }\n",
      "test/run.sh": 'set -e\n. lib/run.sh\n[ "$(status_of false)" = 1 ]\n[ "$(status_of true)" = 0 ]\n',
    },
    change: {
      "lib/run.sh": 'status_of() {\n  set +e\n  "$@"\n  local status=$?\n  set -e\n  echo "$status"\n}\n',
    },
    checks: [{ type: "command", cmd: "bash test/run.sh" }],
  },
];
