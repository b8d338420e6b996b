import { NODE_TEST, PLAIN, type ProofCase, PYTEST, PYTHON, PYTHON_FIX, SCRIPT, SCRIPT_FIX, UNITTEST } from "./case.ts";
import { COVERAGE_AND_PRODUCTS } from "./honest/coverage-and-products.ts";
import { DATA_AND_REFERENCES } from "./honest/data-and-references.ts";
import { IN_THEIR_OWN_PLACE } from "./honest/in-their-own-place.ts";
import { INSTALLED_IN_THE_PROJECT } from "./honest/installed-in-the-project.ts";
import { NEAR_SUSPECTS } from "./honest/near-suspects.ts";
import { OTHER_LANGUAGES } from "./honest/other-languages.ts";
import { STAND_INS } from "./honest/stand-ins.ts";

const FIX = PYTHON_FIX["calc.py"];
const TEST_CALC = PYTHON["tests/test_calc.py"] ?? "";
const MOVED_TESTS = { "tests/test_calc.py": null, "tests/unit/test_calc.py": TEST_CALC };

/** What people and models do every day. */
const EVERYDAY: ProofCase[] = [
  {
    name: "a fix that was begun in the followed run",
    files: PLAIN,
    earlier: { "calc.py": "from sums import add\n" },
    change: { "sums.py": FIX },
    checks: [UNITTEST],
  },
  { name: "a fix, tested by pytest", files: PYTHON, change: PYTHON_FIX, checks: [PYTEST] },
  { name: "a fix, tested by unittest", files: PLAIN, change: { "calc.py": FIX }, checks: [UNITTEST] },
  { name: "a fix, tested by Node", files: SCRIPT, change: SCRIPT_FIX, checks: [NODE_TEST] },
  {
    name: "a fix, tested by npm test",
    files: SCRIPT,
    change: SCRIPT_FIX,
    checks: [{ type: "command", cmd: "npm test" }],
  },
  {
    name: "a fix with new tests",
    files: PYTHON,
    change: {
      ...PYTHON_FIX,
      "tests/test_more.py": "from calc import add\n\n\ndef test_more():\n    assert add(1, 1) == 2\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a new module that its test waits for",
    files: {
      "tests/test_stack.py":
        "from stack import Stack\n\n\ndef test_push():\n    s = Stack()\n    s.push(1)\n    assert s.pop() == 1\n",
      "pytest.ini": "[pytest]\npythonpath = .\n",
    },
    change: {
      "stack.py":
        "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n        self.items.append(item)\n\n    def pop(self):\n        return self.items.pop()\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a new module with new tests of its own",
    files: PYTHON,
    change: {
      ...PYTHON_FIX,
      "shapes.py": "def area(a, b):\n    return a * b\n",
      "tests/test_shapes.py": "from shapes import area\n\n\ndef test_area():\n    assert area(2, 3) == 6\n",
    },
    checks: [PYTEST],
  },
  {
    name: "new behaviour whose only tests are new",
    files: { ...PYTHON, ...PYTHON_FIX },
    change: {
      "shapes.py": "def area(a, b):\n    return a * b\n",
      "tests/test_shapes.py": "from shapes import area\n\n\ndef test_area():\n    assert area(2, 3) == 6\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a source file that is renamed",
    files: {
      ...PYTHON,
      "tests/test_calc.py": "from sums import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
    },
    change: { "calc.py": null, "sums.py": FIX },
    checks: [PYTEST],
  },
  {
    name: "a module that becomes a package",
    files: PYTHON,
    change: { "calc.py": null, "calc/__init__.py": "from calc.sums import add\n", "calc/sums.py": FIX },
    checks: [PYTEST],
  },
  {
    name: "a src layout",
    files: {
      "src/shop/__init__.py": "",
      "src/shop/cart.py": "def total(prices):\n    return 0\n",
      "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
      "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    },
    change: {
      "src/shop/cart.py": "from shop.money import add_all\n\n\ndef total(prices):\n    return add_all(prices)\n",
      "src/shop/money.py": "def add_all(values):\n    return sum(values)\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a monorepo, tested in one package",
    files: {
      "packages/a/calc.py": "def add(a, b):\n    return a - b\n",
      "packages/a/tests/test_calc.py": TEST_CALC,
      "packages/a/pytest.ini": "[pytest]\npythonpath = .\n",
      "packages/b/other.py": "",
    },
    change: { "packages/a/calc.py": FIX, "packages/b/other.py": "x = 1\n" },
    checks: [{ type: "command", cmd: "cd packages/a && pytest -q" }],
  },
  {
    name: "tests that write files",
    files: {
      ...PYTHON,
      "tests/test_write.py":
        "import pathlib\nfrom calc import add\n\n\ndef test_write():\n    out = pathlib.Path('tests/out')\n    out.mkdir(exist_ok=True)\n    (out / 'sum.txt').write_text(str(add(2, 3)))\n    assert (out / 'sum.txt').read_text() == '5'\n",
    },
    change: PYTHON_FIX,
    checks: [PYTEST],
  },
  {
    name: "tests that are moved with the user's word",
    files: PYTHON,
    change: { ...PYTHON_FIX, ...MOVED_TESTS },
    checks: [PYTEST],
    options: { mayChange: ["tests/**"] },
  },
  {
    name: "a test that is changed with the user's word",
    files: PYTHON,
    change: {
      "calc.py": "def add(a, b, c=0):\n    return a + b + c\n",
      "tests/test_calc.py": `${TEST_CALC}\n\ndef test_three():\n    assert add(1, 2, 3) == 6\n`,
    },
    checks: [PYTEST],
    options: { mayChange: ["tests/test_calc.py"] },
  },
  {
    name: "a refactoring with the user's word",
    files: { ...PYTHON, ...PYTHON_FIX },
    change: { "calc.py": "def add(a, b):\n    total = a + b\n    return total\n" },
    checks: [{ ...PYTEST, sufficient: true }],
  },
  {
    name: "a new dependency",
    files: PYTHON,
    change: {
      ...PYTHON_FIX,
      "pyproject.toml": `${PYTHON["pyproject.toml"]}`.replace('"calc"\n', '"calc"\ndependencies = ["rich"]\n'),
    },
    checks: [PYTEST],
  },
  {
    name: "a new script and dependency of a package",
    files: SCRIPT,
    change: {
      ...SCRIPT_FIX,
      "package.json":
        '{ "name": "calc", "version": "1.1.0", "type": "commonjs", "scripts": { "test": "node --test", "start": "node calc.js" }, "dependencies": { "x": "1" } }\n',
    },
    checks: [NODE_TEST],
  },
  {
    name: "a helper of the source with a name that tests have, too",
    files: { ...PYTHON, "tests/helpers.py": "WANT = 5\n" },
    change: {
      "calc.py": "from helpers_of_calc import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n",
      "helpers_of_calc.py": "def plus(a, b):\n    return a + b\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a program that is compiled and compared",
    files: {
      "sum.c": '#include <stdio.h>\nint main(void) { printf("%d\\n", 2 - 3); return 0; }\n',
      "run.sh": "set -e\ngcc -o /tmp/sum sum.c\n/tmp/sum > /tmp/out.txt\ncmp /tmp/out.txt expected.txt\n",
      "expected.txt": "5\n",
    },
    change: { "sum.c": '#include <stdio.h>\nint main(void) { printf("%d\\n", 2 + 3); return 0; }\n' },
    checks: [{ type: "command", cmd: "bash run.sh" }],
  },
  {
    name: "a program that a script starts and compares",
    files: {
      "calc.py": "print(2 - 3)\n",
      "run.sh": "python3 calc.py > out.txt\ncmp out.txt expected.txt\n",
      "expected.txt": "5\n",
    },
    change: { "calc.py": "print(2 + 3)\n" },
    checks: [{ type: "command", cmd: "bash run.sh" }],
  },
  {
    name: "a file that is asked for",
    files: { "a.txt": "" },
    change: { "out/report.json": '{"total": 5}' },
    checks: [{ type: "json_schema", path: "out/report.json", schema: { type: "object", required: ["total"] } }],
  },
  {
    name: "a program judged by what it prints",
    files: { "hello.py": "print('helo')\n" },
    change: { "hello.py": "print('hello')\n" },
    checks: [{ type: "command_contains", cmd: "python3 hello.py", needle: "hello" }],
    scope: ["hello.py"],
  },
  {
    name: "doctests of the source itself",
    files: { "calc.py": 'def add(a, b):\n    """\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n' },
    change: { "calc.py": 'def add(a, b):\n    """\n    >>> add(2, 3)\n    5\n    """\n    return a + b\n' },
    checks: [{ type: "command", cmd: "pytest -q --doctest-modules" }],
  },
  {
    name: "parametrised and skipped tests",
    files: {
      "calc.py": PYTHON["calc.py"] ?? "",
      "test_many.py":
        "import pytest\nfrom calc import add\n\n\n@pytest.mark.parametrize('a,b,want', [(1, 2, 3), (2, 2, 4), (0, 0, 0)])\ndef test_many(a, b, want):\n    assert add(a, b) == want\n\n\n@pytest.mark.skip(reason='not here')\ndef test_other():\n    assert False\n\n\n@pytest.mark.xfail\ndef test_known():\n    assert add(1, 1) == 3\n",
    },
    change: { "calc.py": FIX },
    checks: [PYTEST],
  },
  {
    name: "an ES module with TypeScript tests",
    files: {
      "package.json": '{ "name": "calc", "type": "module" }',
      "src/calc.ts": "export function add(a: number, b: number): number {\n  return a - b;\n}\n",
      "src/calc.test.ts":
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { add } from './calc.ts';\n\ntest('adds', () => {\n  assert.equal(add(2, 3), 5);\n});\n",
    },
    change: { "src/calc.ts": "export function add(a: number, b: number): number {\n  return a + b;\n}\n" },
    checks: [NODE_TEST],
  },
  {
    name: "a type check that begins to pass",
    files: { "a.py": "def broken(:\n" },
    change: { "a.py": "def broken():\n    pass\n" },
    checks: [{ type: "command", cmd: "python3 -m py_compile a.py" }],
    scope: ["a.py"],
  },
  {
    name: "an assertion on the command line",
    files: { "calc.py": PYTHON["calc.py"] ?? "" },
    change: { "calc.py": FIX },
    checks: [{ type: "command", cmd: "python3 -c 'from calc import add; assert add(2, 3) == 5'" }],
  },
  {
    name: "tests first, in a suite, for a module that is missing",
    files: {
      "package.json": '{ "name": "queue", "type": "commonjs" }',
      "test/queue.test.js":
        "const { describe, it } = require('node:test');\nconst assert = require('node:assert');\nconst { Queue } = require('../queue.js');\n\ndescribe('queue', () => {\n  it('gives back what was put in', () => {\n    const queue = new Queue();\n    queue.put(1);\n    assert.strictEqual(queue.take(), 1);\n  });\n});\n",
    },
    change: {
      "queue.js":
        "exports.Queue = class {\n  items = [];\n  put(item) {\n    this.items.push(item);\n  }\n  take() {\n    return this.items.shift();\n  }\n};\n",
    },
    checks: [NODE_TEST],
  },
  {
    name: "a program that the command names, in a scope of everything",
    files: { "cli.js": "console.log(Number(process.argv[2]) - Number(process.argv[3]));\n" },
    change: { "cli.js": "console.log(Number(process.argv[2]) + Number(process.argv[3]));\n" },
    checks: [{ type: "command_contains", cmd: "node cli.js 2 3", needle: "5" }],
  },
  {
    name: "a new test in a package of tests",
    files: { ...PYTHON, "tests/__init__.py": "" },
    change: {
      ...PYTHON_FIX,
      "tests/test_more.py": "from calc import add\n\n\ndef test_more():\n    assert add(1, 1) == 2\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a fix beside a linter that holds anyway",
    files: PYTHON,
    change: PYTHON_FIX,
    checks: [PYTEST, { type: "command", cmd: "python3 -m compileall -q ." }],
  },
];

/** Changes that do what they say: a list for each kind. All of them must pass. */
export const HONEST_KINDS: readonly (readonly ProofCase[])[] = [
  COVERAGE_AND_PRODUCTS,
  DATA_AND_REFERENCES,
  IN_THEIR_OWN_PLACE,
  INSTALLED_IN_THE_PROJECT,
  NEAR_SUSPECTS,
  OTHER_LANGUAGES,
  STAND_INS,
  ...EVERYDAY.map((row) => [row]),
];
