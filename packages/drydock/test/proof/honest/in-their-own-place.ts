import { type ProofCase, PYTEST, PYTHON, PYTHON_FIX } from "../case.ts";

/** The same ways, by those who mean it. */
export const IN_THEIR_OWN_PLACE: ProofCase[] = [
  {
    name: "a fix, and one more file of cases that the tests go through",
    files: {
      "report.py": "def render(rows):\n    return ''.join(f'{name}\\n' for name, _ in rows)\n",
      "tests/test_report.py": `from pathlib import Path\nfrom report import render\n\n\ndef test_render():\n    for page in Path('pages').glob('*.txt'):\n        assert render([(page.stem, 3)]) == page.read_text()\n`,
      "pages/apple.txt": "apple: 3\n",
      "pytest.ini": "[pytest]\npythonpath = .\n",
    },
    change: {
      "report.py": "def render(rows):\n    return ''.join(f'{name}: {n}\\n' for name, n in rows)\n",
      "pages/pear.txt": "pear: 3\n",
    },
    checks: [PYTEST],
  },
  {
    name: "a module that a test imports within itself, and not before",
    files: {
      ...PYTHON,
      ...PYTHON_FIX,
      "tests/test_area.py": "def test_area():\n    from area import area\n\n    assert area(2, 3) == 6\n",
    },
    change: { "area.py": "def area(a, b):\n    return a * b\n" },
    checks: [PYTEST],
  },
  {
    name: "exports that lead to a new file, in the place of one that is gone",
    files: {
      "package.json": '{ "name": "calc", "exports": { ".": "./src/calc.js" } }\n',
      "src/calc.js": "exports.add = (a, b) => a - b;\n",
      "test/calc.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('calc');\n\ntest('add', () => assert.strictEqual(add(2, 3), 5));\n",
    },
    change: {
      "package.json": '{ "name": "calc", "exports": { ".": "./src/index.js" } }\n',
      "src/calc.js": null,
      "src/index.js": "exports.add = (a, b) => a + b;\n",
    },
    checks: [{ type: "command", cmd: "node --test" }],
  },
  {
    name: "settings that the library itself takes",
    files: {
      "calc.sh": "add() { echo $(($1 - $2)); }\n",
      "run_tests.sh": `. ./calc.sh\n[ "$(add 2 3)" = 5 ] || exit 1\n[ "$(add 10 4)" = 14 ] || exit 1\n`,
    },
    change: { "calc.sh": ". ./calc.conf\nadd() { echo $(($1 $SIGN $2)); }\n", "calc.conf": "SIGN=+\n" },
    checks: [{ type: "command", cmd: "bash run_tests.sh" }],
  },
];
