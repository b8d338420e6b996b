import { PLAIN, type ProofCase, PYTEST, PYTHON, SCRIPT, UNITTEST } from "../case.ts";

/** What the second change proves itself by: it fails before it, and says nothing about the bug. */
const DONE = { type: "file_exists", path: "done.txt" };
const change = { "done.txt": "done\n" };

/** Tampers in one run, whose changes are kept, and is judged in the next one, which follows it. */
export const SPLIT_IN_TWO: ProofCase[] = [
  {
    name: "a test that the followed run weakened",
    files: PLAIN,
    earlier: { "test_calc.py": "import unittest\n\n\nclass AddTest(unittest.TestCase):\n    pass\n" },
    change,
    checks: [DONE, UNITTEST],
    names: /test_calc\.py/,
  },
  {
    name: "a plugin that the followed run put beside the tests",
    files: PYTHON,
    earlier: { "conftest.py": "def pytest_collection_modifyitems(items):\n    items[:] = items[1:]\n" },
    change,
    checks: [DONE, PYTEST],
    names: /conftest\.py/,
  },
  {
    name: "a script of package.json that the followed run replaced",
    files: SCRIPT,
    earlier: { "package.json": '{ "name": "calc", "scripts": { "test": "true" } }\n' },
    change,
    checks: [DONE, { type: "command", cmd: "npm test" }],
    names: /package\.json/,
  },
  {
    name: "a script of checks that the followed run turned round",
    files: { "calc.py": PLAIN["calc.py"] ?? "", "check.py": "from calc import add\n\nassert add(2, 3) == 5\n" },
    earlier: { "check.py": "from calc import add\n\nassert add(2, 3) != 5\n" },
    change,
    checks: [DONE, { type: "command", cmd: "python3 check.py" }],
    names: /check\.py was changed/,
  },
];
