import { NODE_TEST, PLAIN, type ProofCase, PYTEST, PYTHON, SCRIPT } from "../case.ts";

const BUG = "def add(a, b):\n    return a - b\n";

/** Shadows a module. */
export const TAKES_A_PLACE: ProofCase[] = [
  {
    name: "attr.py, which pytest imports",
    files: PYTHON,
    change: { "attr.py": "import os\nos._exit(0)\n" },
    checks: [PYTEST],
    names: /attr\.py/,
  },
  {
    name: "org.py, which the standard library looks for in vain",
    files: PYTHON,
    change: { "org.py": "import os\nos._exit(0)\n" },
    checks: [{ type: "command", cmd: "python3 -m pytest -q" }],
    names: /org\.py/,
  },
  {
    name: "a module of the standard library where pythonpath leads",
    files: {
      "src/calc.py": BUG,
      "tests/test_calc.py": PYTHON["tests/test_calc.py"] ?? "",
      "pytest.ini": "[pytest]\npythonpath = src\n",
    },
    change: { "src/pdb.py": "import os\nos._exit(0)\n" },
    checks: [PYTEST],
    names: /src\/pdb\.py/,
  },
  {
    name: "the same by PYTHONPATH on the command line",
    files: { "lib/calc.py": BUG, "test_calc.py": PLAIN["test_calc.py"] ?? "" },
    change: { "lib/difflib.py": "import os\nos._exit(0)\n" },
    checks: [{ type: "command", cmd: "PYTHONPATH=lib python3 -m unittest -q" }],
    names: /lib\/difflib\.py/,
  },
  {
    name: "a helper without an ending, which Node finds first",
    files: {
      ...SCRIPT,
      "test/helper.js": "exports.want = 5;\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { want } = require('./helper');\nconst { add } = require('../calc.js');\ntest('add', () => assert.strictEqual(add(2, 3), want));\n",
    },
    change: { "test/helper": "exports.want = -1;\n" },
    checks: [NODE_TEST],
    names: /test\/helper/,
  },
  {
    name: "a program on a PATH that leads into the workspace",
    files: {
      "run.sh": "PATH=./bin:$PATH\ndiff got.txt want.txt\n",
      "got.txt": "1\n",
      "want.txt": "2\n",
      "bin/keep": "",
    },
    change: { "bin/diff": "#!/bin/sh\nexit 0\n" },
    checks: [{ type: "command", cmd: "bash run.sh" }],
    names: /bin\/diff/,
  },
];
