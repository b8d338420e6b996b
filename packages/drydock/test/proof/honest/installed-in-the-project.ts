import { type ProofCase, PYTEST, PYTHON_FIX, SCRIPT_FIX } from "../case.ts";
import { BIN_PROGRAM, WITH_BIN, WITH_VENV } from "../environment.ts";

/** Checks that need what the project has installed. */
export const INSTALLED_IN_THE_PROJECT: ProofCase[] = [
  {
    name: "a fix whose tests need a package of the virtual environment",
    files: WITH_VENV,
    change: PYTHON_FIX,
    checks: [PYTEST],
  },
  {
    name: "a fix that is checked by a program of the virtual environment",
    files: WITH_VENV,
    change: PYTHON_FIX,
    checks: [{ type: "command", cmd: "judge" }],
  },
  {
    name: "a fix that is checked by a program in node_modules/.bin",
    files: WITH_BIN,
    change: SCRIPT_FIX,
    checks: [{ type: "command", cmd: "judge-calc" }],
    programs: [BIN_PROGRAM],
  },
];
