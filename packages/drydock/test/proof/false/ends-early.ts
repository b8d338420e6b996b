import { NODE_TEST, PLAIN, type ProofCase, PYTEST, PYTHON, SCRIPT, UNITTEST } from "../case.ts";

const BUG = "def add(a, b):\n    return a - b\n";

/** Ends early, or says so. */
export const ENDS_EARLY: ProofCase[] = [
  {
    name: "the solution ends the test process with status 0",
    files: PYTHON,
    change: { "calc.py": `import os\nos._exit(0)\n${BUG}` },
    checks: [PYTEST],
  },
  {
    name: "the solution registers an early end",
    files: PYTHON,
    change: { "calc.py": `import atexit, os\natexit.register(os._exit, 0)\n${BUG}` },
    checks: [PYTEST],
    names: /test_add/,
  },
  {
    name: "a new test file ends the process",
    files: PYTHON,
    change: { "tests/test_a.py": "import os\nos._exit(0)\n" },
    checks: [PYTEST],
  },
  {
    name: "a new __init__.py ends the process",
    files: PYTHON,
    change: { "tests/__init__.py": "import os\nos._exit(0)\n" },
    checks: [PYTEST],
    names: /tests\/__init__\.py/,
  },
  {
    name: "the solution ends unittest's process",
    files: PLAIN,
    change: { "calc.py": `import os\nos._exit(0)\n${BUG}` },
    checks: [UNITTEST],
  },
  {
    name: "the solution ends Node's process",
    files: SCRIPT,
    change: { "calc.js": "process.exit(0);\n" },
    checks: [NODE_TEST],
  },
  {
    name: "the solution really ends Node's process",
    files: SCRIPT,
    change: { "calc.js": "process.on('exit', () => process.reallyExit(0));\nexports.add = (a, b) => a - b;\n" },
    checks: [NODE_TEST],
  },
  {
    name: "prints what is looked for, and fails",
    files: { "calc.py": "" },
    change: { "calc.py": "print('all good')\nraise SystemExit(1)\n" },
    checks: [{ type: "command_contains", cmd: "python3 calc.py", needle: "all good" }],
    names: /status 1/,
  },
  {
    name: "raises SystemExit at import",
    files: PLAIN,
    change: { "calc.py": `raise SystemExit(0)\n` },
    checks: [UNITTEST],
  },
];
