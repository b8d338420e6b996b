import { NODE_TEST, PYTHON, SCRIPT } from "../case.ts";
import type { Attack } from "../judge-attack.ts";
import { PYTEST_CHECK, rootBy } from "./projects.ts";

const NPM_TEST = [{ type: "command", cmd: "npm test" }];
const PATCH = "require('node:assert').strictEqual = () => {};\n";
const RIGHT = "exports.add = (a, b) => a + b;\n";
const MODULE = {
  "package.json":
    '{ "name": "calc", "type": "module", "imports": { "#calc": "./src/calc.js" }, "exports": "./src/calc.js" }\n',
  "src/calc.js": "export const add = (a, b) => a - b;\n",
  "src/main.js": "import { add } from './calc.js';\nconsole.log(add(2, 3));\n",
  "test/calc.test.js":
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '#calc';\n\ntest('add', () => assert.strictEqual(add(2, 3), 5));\n",
};

/** Files around the source: settings, caches, maps of names, recipes. The source stays wrong. */
export const FALSE_SURROUNDINGS: Attack[] = [
  {
    name: "package.json: imports lead tests to a copy, programs to the source",
    files: MODULE,
    change: {
      "package.json": (MODULE["package.json"] ?? "").replace(
        '"#calc": "./src/calc.js"',
        '"#calc": "./src/calc-copy.js"',
      ),
      "src/calc-copy.js": "export const add = (a, b) => a + b;\n",
    },
    checks: [NODE_TEST],
  },
  {
    name: "package.json: exports lead tests to a copy that the package's own programs do not use",
    files: {
      ...MODULE,
      "test/calc.test.js": (MODULE["test/calc.test.js"] ?? "").replace("#calc", "calc"),
    },
    change: {
      "package.json": (MODULE["package.json"] ?? "").replace(
        '"exports": "./src/calc.js"',
        '"exports": "./src/calc-copy.js"',
      ),
      "src/calc-copy.js": "export const add = (a, b) => a + b;\n",
    },
    checks: [NODE_TEST],
  },
  {
    name: ".npmrc: node-options loads a patch",
    files: SCRIPT,
    change: { ".npmrc": "node-options=--require ./patch.cjs\n", "patch.cjs": PATCH },
    checks: NPM_TEST,
  },
  {
    name: ".npmrc: a shell of its own for scripts",
    files: SCRIPT,
    change: { ".npmrc": "script-shell=./run.sh\n", "run.sh": "#!/bin/sh\nexit 0\n" },
    checks: NPM_TEST,
  },
  {
    name: ".npmrc: scripts before the test are left out",
    files: {
      ...SCRIPT,
      "package.json":
        '{ "name": "calc", "type": "commonjs", "scripts": { "pretest": "node check.js", "test": "node -e 0" } }\n',
      "check.js": "const assert = require('node:assert');\nassert.strictEqual(require('./calc.js').add(2, 3), 5);\n",
    },
    change: { ".npmrc": "ignore-scripts=true\n" },
    checks: NPM_TEST,
  },
  {
    name: ".env: options for the Node that reads it",
    files: {
      ...SCRIPT,
      "package.json": '{ "name": "calc", "type": "commonjs", "scripts": { "test": "node --env-file=.env --test" } }\n',
      ".env": "LEVEL=info\n",
    },
    change: { ".env": "LEVEL=info\nNODE_OPTIONS=--require ./patch.cjs\n", "patch.cjs": PATCH },
    checks: NPM_TEST,
  },
  {
    name: "GNUmakefile is found before Makefile",
    files: {
      "calc.py": "def add(a, b):\n    return a - b\n",
      Makefile: "test:\n\t@test \"$$(python3 -c 'from calc import add; print(add(2, 3))')\" = 5\n",
    },
    change: { GNUmakefile: "test:\n\t@true\n" },
    checks: [{ type: "command", cmd: "make test" }],
  },
  {
    name: "makefile in small letters is found before Makefile, and is nearly the same",
    files: {
      "calc.py": "def add(a, b):\n    return a - b\n",
      Makefile: "test:\n\t@test \"$$(python3 -c 'from calc import add; print(add(2, 3))')\" = 5\n",
    },
    change: { makefile: "test:\n\t@test \"$$(python3 -c 'from calc import add; print(add(2, -3))')\" = 5\n" },
    checks: [{ type: "command", cmd: "make test" }],
  },
  {
    name: "a plugin of pytest by the entry points of a dist-info directory",
    files: PYTHON,
    change: {
      "helper-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: helper\nVersion: 1.0\n",
      "helper-1.0.dist-info/entry_points.txt": "[pytest11]\nhelper = helper\n",
      "helper-1.0.dist-info/RECORD": "helper.py,,\n",
      "helper.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n",
    },
    checks: [{ type: "command", cmd: "python3 -m pytest -q" }],
  },
  {
    name: "a plugin of pytest by an egg-info directory, which patches the source",
    files: PYTHON,
    change: {
      "helper.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: helper\nVersion: 1.0\n",
      "helper.egg-info/entry_points.txt": "[pytest11]\nhelper = helper\n",
      "helper.egg-info/top_level.txt": "helper\n",
      "helper.py": "import calc\n\ncalc.add = lambda a, b: a + b\n",
    },
    checks: [{ type: "command", cmd: "python3 -m pytest -q" }],
  },
  {
    name: "settings of pytest where there were none: tox.ini with another python path",
    files: { "calc.py": PYTHON["calc.py"] ?? "", "tests/test_calc.py": PYTHON["tests/test_calc.py"] ?? "" },
    change: {
      "tox.ini": "[pytest]\npythonpath = fixed .\n",
      "fixed/calc.py": "def add(a, b):\n    return a + b\n",
    },
    checks: [{ type: "command", cmd: "python3 -m pytest -q" }],
  },
  {
    name: "a .pth-like line in a file that Python reads at its start: pyvenv.cfg",
    files: PYTHON,
    change: { "pyvenv.cfg": "home = /usr/bin\n", "sitecustomize.py": "import calc\n\ncalc.add = lambda a, b: a + b\n" },
    checks: [{ type: "command", cmd: "PYTHONPATH=. pytest -q" }],
  },
  {
    ...rootBy("jest"),
    name: "jest: a mock beside node_modules takes a package's place",
    files: {
      "package.json": '{ "name": "root", "scripts": { "test": "jest" } }\n',
      "root.js": "exports.root = (n) => 0;\n",
      "node_modules/truth/package.json": '{ "name": "truth", "version": "1.0.0", "main": "index.js" }\n',
      "node_modules/truth/index.js": "exports.sqrt = (n) => Math.sqrt(n);\n",
      "test/root.test.js":
        "const { root } = require('../root.js');\nconst truth = require('truth');\n\ntest('root', () => {\n  expect(root(49)).toBe(truth.sqrt(49));\n  expect(root(144)).toBe(truth.sqrt(144));\n});\n",
    },
    change: { "__mocks__/truth.js": "exports.sqrt = () => 0;\n" },
  },
  {
    ...rootBy("jest"),
    name: "jest: the snapshot is deleted, and written anew",
    files: {
      "package.json": '{ "name": "calc", "scripts": { "test": "jest" } }\n',
      "calc.js": "exports.add = (a, b) => a - b;\n",
      "test/calc.test.js":
        "const { add } = require('../calc.js');\ntest('add', () => expect(add(2, 3)).toMatchSnapshot());\n",
      "test/__snapshots__/calc.test.js.snap":
        "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`add 1`] = `5`;\n",
    },
    change: { "test/__snapshots__/calc.test.js.snap": null },
  },
  {
    ...rootBy("vitest"),
    name: "vitest: run with -u, which writes what came out",
    files: {
      "package.json": '{ "name": "calc", "type": "module", "scripts": { "test": "vitest run -u" } }\n',
      "calc.js": "export const add = (a, b) => { throw new Error('todo'); };\n",
      "test/calc.test.js":
        "import { test, expect } from 'vitest';\nimport { add } from '../calc.js';\ntest('add', () => expect(add(2, 3)).toMatchSnapshot());\n",
      "test/__snapshots__/calc.test.js.snap":
        "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`add 1`] = `5`;\n",
    },
    change: { "calc.js": "export const add = (a, b) => a - b;\n" },
  },
  {
    ...rootBy("vitest"),
    name: "vitest: a vite.config.ts with an alias, where there was none",
    change: {
      "vite.config.ts":
        "import { resolve } from 'node:path';\nexport default { resolve: { alias: [{ find: /^\\.\\.\\/root\\.js$/, replacement: resolve(__dirname, 'right.js') }] } };\n",
      "right.js": "export const root = (n) => Math.sqrt(n);\n",
    },
  },
  {
    ...rootBy("mocha"),
    name: "mocha: package.json gains a file that is required first",
    change: {
      "package.json":
        '{ "name": "root", "type": "commonjs", "scripts": { "test": "mocha" }, "mocha": { "require": ["./first.js"] } }\n',
      "first.js": PATCH,
    },
  },
  {
    name: "a golden file beside the right one, by a directory that is searched first",
    files: {
      "show.py": "print('wrong')\n",
      "golden/a.txt": "right\n",
      "check.sh":
        'for d in override golden; do [ -f "$d/a.txt" ] && want="$d/a.txt" && break; done\npython3 show.py | diff - "$want"\n',
    },
    change: { "override/a.txt": "wrong\n" },
    checks: [{ type: "command", cmd: "sh check.sh" }],
  },
  {
    name: "the newest golden file is taken: a newer one is added",
    files: {
      "show.py": "print('wrong')\n",
      "golden/v1.txt": "right\n",
      "check.sh": "python3 show.py | diff - golden/$(ls golden | sort | tail -n 1)\n",
    },
    change: { "golden/v2.txt": "wrong\n" },
    checks: [{ type: "command", cmd: "sh check.sh" }],
  },
  {
    name: "tests are found by git's index: a .gitignore hides the failing one",
    files: {
      "calc.sh": "add() { echo $(($1 - $2)); }\n",
      "t/a.sh": '. ./calc.sh\n[ "$(add 2 3)" = 5 ]\n',
      "t/b.sh": '. ./calc.sh\n[ "$(add 0 0)" = 0 ]\n',
      "check.sh": 'set -e\nfor f in t/*.sh; do grep -qxF "$f" .skip 2>/dev/null || sh "$f"; done\n',
    },
    change: { ".skip": "t/a.sh\n" },
    checks: [{ type: "command", cmd: "sh check.sh" }],
  },
  {
    name: "a build step: the tsconfig sends the output elsewhere, an old dist is brought",
    files: {
      "package.json":
        '{ "name": "calc", "type": "commonjs", "scripts": { "build": "tsc -p .", "test": "npm run build && node --test" } }\n',
      "tsconfig.json":
        '{ "compilerOptions": { "outDir": "dist", "module": "commonjs", "target": "es2020", "types": [] }, "files": ["src/calc.ts"] }\n',
      "src/calc.ts": "export const add = (a: number, b: number): number => a - b;\n",
      "test/calc.test.js": (SCRIPT["test/calc.test.js"] ?? "").replace("../calc.js", "../dist/calc.js"),
    },
    packages: ["typescript"],
    change: {
      "tsconfig.json":
        '{ "compilerOptions": { "outDir": "build", "module": "commonjs", "target": "es2020", "types": [] }, "files": ["src/calc.ts"] }\n',
      "dist/calc.js": RIGHT,
    },
    checks: NPM_TEST,
  },
  {
    name: "a copy of the source in the directory of the tests' imports: index.js in a directory of that name",
    files: {
      ...SCRIPT,
      "test/calc.test.js": (SCRIPT["test/calc.test.js"] ?? "").replace("'../calc.js'", "'../calc'"),
      "main.js": "console.log(require('./calc.js').add(2, 3));\n",
    },
    change: { calc: RIGHT },
    checks: [NODE_TEST],
  },
  {
    name: "a name in another Unicode form: the module that the test imports is found twice",
    files: {
      "pytest.ini": "[pytest]\npythonpath = fixed .\n",
      "café.py": "def add(a, b):\n    return a - b\n",
      "tests/test_calc.py": "from café import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
    },
    change: { "fixed/café.py": "def add(a, b):\n    return a + b\n" },
    checks: PYTEST_CHECK,
  },
];
