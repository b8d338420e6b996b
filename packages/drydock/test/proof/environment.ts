import { readConfig } from "../../src/app/config.ts";
import { findPython } from "../../src/sandbox/index.ts";
import { PYTHON } from "./case.ts";

/** "3.11" of the Python that runs have. */
const VERSION = /3\.\d+$/.exec(findPython(undefined, readConfig().searchPath).path)?.[0] ?? "3";
export const SITE = `.venv/lib/python${VERSION}/site-packages`;

/** A virtual environment with one package, whose tests need it. Its interpreter is not in the sandbox. */
export const WITH_VENV: Record<string, string> = {
  ...PYTHON,
  ".venv/pyvenv.cfg": `home = /nowhere/bin\ninclude-system-site-packages = false\nversion = ${VERSION}.0\n`,
  ".venv/bin/judge": "#!/nowhere/project/.venv/bin/python\nimport sys\nfrom judging import main\nsys.exit(main())\n",
  [`${SITE}/judging.py`]:
    "def main():\n    import sys\n    sys.path.insert(0, '.')\n    from calc import add\n    return 0 if add(2, 3) == 5 else 1\n\n\nWANT = 5\n",
  "tests/test_calc.py":
    "from calc import add\nfrom judging import WANT\n\n\ndef test_add():\n    assert add(2, 3) == WANT\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
};

/** Packages of Node with a program, which no system has. */
export const WITH_BIN: Record<string, string> = {
  "package.json": '{ "name": "calc", "type": "commonjs", "scripts": { "test": "judge-calc" } }\n',
  "calc.js": "exports.add = (a, b) => a - b;\n",
  "node_modules/.bin/judge-calc":
    "#!/usr/bin/env node\nconst { add } = require(process.cwd() + '/calc.js');\nprocess.exit(add(2, 3) === 5 ? 0 : 1);\n",
};
export const BIN_PROGRAM = "node_modules/.bin/judge-calc";
