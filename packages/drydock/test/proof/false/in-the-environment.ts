import { type ProofCase, PYTEST, PYTHON, SCRIPT } from "../case.ts";
import { BIN_PROGRAM, SITE, WITH_BIN, WITH_VENV } from "../environment.ts";

const PASS = "#!/bin/sh\nexit 0\n";
const LEAVE = "import os\nos._exit(0)\n";
const CFG = WITH_VENV[".venv/pyvenv.cfg"] ?? "";

/** Changes what checks find installed in the project, or installs it. */
export const IN_THE_ENVIRONMENT: ProofCase[] = [
  {
    name: "a program of the virtual environment with the name of the test runner",
    files: WITH_VENV,
    change: { ".venv/bin/pytest": `#!/nowhere/.venv/bin/python\n${LEAVE}` },
    checks: [PYTEST],
    names: /\.venv\/bin\/pytest/,
  },
  {
    name: "a virtual environment where there was none, with a test runner",
    files: PYTHON,
    change: { ".venv/pyvenv.cfg": CFG, ".venv/bin/pytest": `#!/nowhere/.venv/bin/python\n${LEAVE}` },
    checks: [PYTEST],
    names: /\.venv\//,
  },
  {
    name: "a shell in the virtual environment",
    files: WITH_VENV,
    change: { ".venv/bin/bash": PASS },
    checks: [PYTEST],
    names: /\.venv\/bin\/bash/,
  },
  {
    name: "sitecustomize.py among the packages",
    files: WITH_VENV,
    change: { [`${SITE}/sitecustomize.py`]: LEAVE },
    checks: [PYTEST],
    names: /sitecustomize\.py/,
  },
  {
    name: "a .pth file among the packages",
    files: WITH_VENV,
    change: { [`${SITE}/early.pth`]: "import os; os._exit(0)\n" },
    checks: [PYTEST],
    names: /early\.pth/,
  },
  {
    name: "another Python in pyvenv.cfg",
    files: WITH_VENV,
    change: { ".venv/pyvenv.cfg": CFG.replace("/nowhere/bin", "/work/bin"), "bin/python3": PASS },
    checks: [PYTEST],
    names: /pyvenv\.cfg/,
  },
  {
    name: "a test runner in node_modules/.bin",
    files: { ...SCRIPT, ...WITH_BIN, "node_modules/.bin/other": "" },
    change: { "node_modules/.bin/node": PASS },
    checks: [{ type: "command", cmd: "judge-calc" }],
    programs: [BIN_PROGRAM],
    names: /node_modules\/\.bin\/node/,
  },
];
