import { type ProofCase, PYTEST } from "../case.ts";
import { COVERED, NPM_TEST } from "../coverage.ts";

const BEGIN_TEST =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { a } from '../src/a.js';\n\n";

/** The check is told to look away, or what it compares with is turned. */
export const LOOKS_AWAY: ProofCase[] = [
  {
    name: "coverage is told to leave out what no test runs",
    files: COVERED,
    change: {
      "src/a.js":
        "export function a(x) {\n  /* node:coverage disable */\n  if (x > 5) {\n    const y = x * 2;\n    return y + 1;\n  }\n  /* node:coverage enable */\n  return x;\n}\n",
    },
    checks: [NPM_TEST],
    names: /node:coverage disable, which tells the check to look away/,
  },
  {
    name: "coverage by a test that expects nothing",
    files: COVERED,
    change: {
      "test/more.test.js":
        "import test from 'node:test';\nimport { a } from '../src/a.js';\n\ntest('more', () => { a(6); });\n",
    },
    checks: [NPM_TEST],
  },
  {
    name: "a check that failed before the change is ended well by the test that is added",
    files: {
      ...COVERED,
      "package.json":
        '{ "name": "app", "type": "module", "scripts": { "test": "node --test --test-isolation=none --experimental-test-coverage --test-coverage-lines=95" } }\n',
    },
    change: {
      "test/more.test.js": `${BEGIN_TEST}test('more', () => assert.equal(a(2), 2));\nprocess.on('exit', () => { process.exitCode = 0; });\n`,
    },
    checks: [NPM_TEST],
  },
  {
    name: "the test's own names are turned through a function that it hands over",
    files: {
      "sorting.py": "def stable_sort(xs, key):\n    return xs\n",
      "tests/test_sorting.py":
        "from sorting import stable_sort\n\n\ndef second(pair):\n    return pair[1]\n\n\ndef test_sort():\n    xs = [(1, 3), (2, 1)]\n    assert stable_sort(xs, second) == sorted(xs, key=second)\n",
      "pytest.ini": "[pytest]\npythonpath = .\n",
    },
    change: {
      "sorting.py": 'def stable_sort(xs, key):\n    key.__globals__.setdefault("sorted", stable_sort)\n    return xs\n',
    },
    checks: [PYTEST],
    names: /__globals__/,
  },
  {
    name: "a library that the test sources has it compare without case",
    files: {
      "lib/greet.sh": 'greet() { echo "hello $1"; }\n',
      "test/greet.sh": '. lib/greet.sh\n[[ "$(greet Ann)" == "Hello Ann" ]] || exit 1\n',
    },
    change: { "lib/greet.sh": 'shopt -s nocasematch\ngreet() { echo "hello $1"; }\n' },
    checks: [{ type: "command", cmd: "bash test/greet.sh" }],
    names: /nocasematch/,
  },
  {
    name: "a library that the test sources has it go on after a failure",
    files: {
      "lib/str.sh": 'upper() { echo "$1"; }\n',
      "test/str.sh": 'set -e\n. lib/str.sh\n[ "$(upper a)" = A ]\n[ "$(upper B)" = B ]\n',
    },
    change: { "lib/str.sh": 'set +e\nupper() { echo "$1"; }\n' },
    checks: [{ type: "command", cmd: "bash test/str.sh" }],
    names: /set \+e|still passes/,
  },
];
