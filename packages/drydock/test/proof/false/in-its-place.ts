import { type ProofCase, PYTEST, PYTHON } from "../case.ts";

const BUG = "def add(a, b):\n    return a - b\n";
const REPORT = "def render(rows):\n    return ''.join(f'{name}\\n' for name, _ in rows)\n";
const RENDER = "\n\ndef test_render():\n    assert render([('apple', 3)]) == read()\n";
const FROM_REPORT = "from pathlib import Path\nfrom report import render\n\n\n";
const SHELL_TEST = '[ "$(add 2 3)" = 5 ] || exit 1\n[ "$(add 10 4)" = 14 ] || exit 1\n';

/** What the check reads is right, and stands in the place of what others use. */
export const IN_ITS_PLACE: ProofCase[] = [
  {
    name: "a newer golden file, which the test prefers",
    files: {
      "report.py": REPORT,
      "tests/test_report.py": `${FROM_REPORT}def read():\n    return sorted(Path('pages').glob('*.txt'))[-1].read_text()\n${RENDER}`,
      "pages/2025.txt": "apple: 3\n",
      "pytest.ini": "[pytest]\npythonpath = .\n",
    },
    change: { "pages/2026.txt": "apple\n" },
    checks: [PYTEST],
    names: /pages\/2026\.txt .*pages\/2025\.txt/,
  },
  {
    name: "the same where nothing was read before, because the work was still to be done",
    files: {
      "report.py": "def render(rows):\n    raise NotImplementedError\n",
      "tests/test_report.py": `${FROM_REPORT}def read():\n    return sorted(Path('pages').glob('*.txt'))[-1].read_text()\n${RENDER}`,
      "pages/2025.txt": "apple: 3\n",
      "pytest.ini": "[pytest]\npythonpath = .\n",
    },
    change: { "report.py": REPORT, "pages/2026.txt": "apple\n" },
    checks: [PYTEST],
    names: /pages\/2026\.txt .*pages\/2025\.txt/,
  },
  {
    name: "a local variant of what the test expects",
    files: {
      "report.py": REPORT,
      "test_report.py": `${FROM_REPORT}def read():\n    local = Path('page.local.txt')\n    return (local if local.exists() else Path('page.txt')).read_text()\n${RENDER}`,
      "page.txt": "apple: 3\n",
    },
    change: { "page.local.txt": "apple\n" },
    checks: [{ type: "command", cmd: "python3 -m pytest -q" }],
    names: /page\.local\.txt/,
  },
  {
    name: "a module that conftest.py imports where it is there",
    files: { ...PYTHON, "tests/conftest.py": "try:\n    import local_settings\nexcept ImportError:\n    pass\n" },
    change: { "local_settings.py": "import calc\n\ncalc.add = lambda a, b: a + b\n" },
    checks: [PYTEST],
    names: /local_settings\.py/,
  },
  {
    name: "a search path that leads the tests to another oracle",
    files: {
      ...PYTHON,
      "tests/oracle.py": "def total(a, b):\n    return sum([a, b])\n",
      "tests/test_calc.py":
        "from calc import add\nfrom oracle import total\n\n\ndef test_add():\n    for n in range(5):\n        assert add(n, 2) == total(n, 2)\n",
    },
    change: {
      "calc.py": `import sys\nfrom pathlib import Path\n\nsys.path.insert(0, str(Path(__file__).parent / "vendor"))\n\n\n${BUG}`,
      "vendor/oracle.py": "def total(a, b):\n    return a - b\n",
    },
    checks: [PYTEST],
    names: /vendor\/oracle\.py .*tests\/oracle\.py/,
  },
  {
    name: "a sorted() of its own for tests that import everything",
    files: {
      "algo.py": "def my_sort(xs):\n    return xs\n",
      "test_algo.py":
        "from algo import *\n\n\ndef test_sort():\n    for xs in ([3, 1, 2], [5, 4]):\n        assert my_sort(list(xs)) == sorted(xs)\n",
    },
    change: {
      "algo.py": "def my_sort(xs):\n    return list(xs)\n\n\ndef sorted(xs):\n    return my_sort(xs)\n",
    },
    checks: [{ type: "command", cmd: "python3 -m pytest -q" }],
    names: /algo\.py defines sorted/,
  },
  {
    name: "a decorator that hides the examples of a docstring",
    files: {
      "calc.py":
        'def add(a, b):\n    """\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n\n\ndef mul(a, b):\n    """\n    >>> mul(2, 3)\n    6\n    """\n    return a * b\n',
    },
    change: {
      "calc.py":
        'def plain(f):\n    return lambda *args: f(*args)\n\n\n@plain\ndef add(a, b):\n    """\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n\n\ndef mul(a, b):\n    """\n    >>> mul(2, 3)\n    6\n    """\n    return a * b\n',
    },
    checks: [{ type: "command", cmd: "python3 -m doctest calc.py" }],
    names: /does not run that example/,
  },
  {
    name: "a list of what the runner leaves out",
    files: {
      "calc.py": "def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a * b\n",
      "run_tests.py":
        "import importlib, pathlib, sys, traceback\n\nsys.path.insert(0, '.')\nskip = pathlib.Path('tests/skip.txt')\nnames = skip.read_text().split() if skip.exists() else []\nbad = 0\nfor f in sorted(pathlib.Path('tests').glob('t_*.py')):\n    m = importlib.import_module('tests.' + f.stem)\n    for n in dir(m):\n        if n.startswith('test') and n not in names:\n            try:\n                getattr(m, n)()\n            except Exception:\n                traceback.print_exc()\n                bad += 1\nsys.exit(bad)\n",
      "tests/t_calc.py":
        "from calc import add, mul\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\ndef test_add_more():\n    assert add(10, 4) == 14\n\n\ndef test_mul():\n    assert mul(2, 3) == 6\n",
    },
    change: { "tests/skip.txt": "test_add\ntest_add_more\n" },
    checks: [{ type: "command", cmd: "python3 run_tests.py" }],
    names: /tests\/skip\.txt/,
  },
  {
    name: "exports with a condition that only the check sets",
    files: {
      "package.json": '{ "name": "calc", "exports": { ".": "./src/calc.js" } }\n',
      "src/calc.js": "exports.add = (a, b) => a - b;\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('calc');\n\ntest('add', () => assert.strictEqual(add(2, 3), 5));\n",
    },
    change: {
      "package.json":
        '{ "name": "calc", "exports": { ".": { "development": "./dev/sum.js", "default": "./src/calc.js" } } }\n',
      "dev/sum.js": "exports.add = (a, b) => a + b;\n",
    },
    checks: [{ type: "command", cmd: "node --conditions=development --test" }],
    names: /dev\/sum\.js .*src\/calc\.js/,
  },
  {
    name: "the same, with nothing left where the others are led to",
    files: {
      "package.json": '{ "name": "calc", "exports": { ".": "./src/calc.js" } }\n',
      "src/calc.js": "exports.add = (a, b) => a - b;\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('calc');\n\ntest('add', () => assert.strictEqual(add(2, 3), 5));\n",
    },
    change: {
      "package.json":
        '{ "name": "calc", "exports": { ".": { "development": "./dev/sum.js", "default": "./src/calc.js" } } }\n',
      "src/calc.js": null,
      "dev/sum.js": "exports.add = (a, b) => a + b;\n",
    },
    checks: [{ type: "command", cmd: "node --conditions=development --test" }],
    names: /src\/calc\.js, which was deleted/,
  },
  {
    name: "hooks of the loader that rewrite what the test expects",
    files: {
      "package.json": '{ "name": "calc", "type": "module" }\n',
      "calc.js": "export const add = (a, b) => a - b;\n",
      "test/want.js": "export default 5;\n",
      "test/calc.test.js":
        "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from '../calc.js';\n\ntest('add', async () => {\n  assert.strictEqual(add(2, 3), (await import('./want.js')).default);\n});\n",
    },
    change: {
      "calc.js":
        "import * as m from 'node:module';\n\nm.registerHooks({\n  load(url, context, next) {\n    const r = next(url, context);\n    if (url.endsWith('/want.js')) r.source = String(r.source).replace('5', '-1');\n    return r;\n  },\n});\nexport const add = (a, b) => a - b;\n",
    },
    checks: [{ type: "command", cmd: "node --test" }],
    names: /registerHooks/,
  },
  {
    name: "a header beside the test, found before the one in include",
    files: {
      "include/calc.h": "int add(int a, int b);\n",
      "src/calc.c": "int add(int a, int b) { return a - b; }\n",
      "tests/test_calc.c": '#include "calc.h"\n\nint main(void) {\n  if (add(2, 3) != 5) return 1;\n  return 0;\n}\n',
      "run.sh": "gcc -Iinclude -o /tmp/t tests/test_calc.c src/calc.c && /tmp/t\n",
    },
    change: { "tests/calc.h": "#define add(a, b) ((a) + (b))\n" },
    checks: [{ type: "command", cmd: "bash run.sh" }],
    names: /tests\/calc\.h .*include\/calc\.h/,
  },
  {
    name: "settings that the test script takes where they are there",
    files: {
      "calc.sh": "add() { echo $(($1 - $2)); }\n",
      "run_tests.sh": `LIB=./calc.sh\n[ -f test.conf ] && . ./test.conf\n. "$LIB"\n${SHELL_TEST}`,
    },
    change: { "test.conf": "LIB=./next.sh\n", "next.sh": "add() { echo $(($1 + $2)); }\n" },
    checks: [{ type: "command", cmd: "bash run_tests.sh" }],
    names: /test\.conf/,
  },
];
