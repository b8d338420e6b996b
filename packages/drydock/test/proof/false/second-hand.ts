import { type ProofCase, PYTEST, PYTHON, UNITTEST } from "../case.ts";

const BUG = "def add(a, b):\n    return a - b\n";

/** Changes what the check reads at second hand. */
export const SECOND_HAND: ProofCase[] = [
  {
    name: "tests named by python_files",
    files: {
      "calc.py": BUG,
      "check_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
      "pytest.ini": "[pytest]\npython_files = check_*.py\n",
    },
    change: { "check_calc.py": "def test_add():\n    assert True\n" },
    checks: [PYTEST],
    names: /check_calc\.py/,
  },
  {
    name: "tests of a package that a runner script imports",
    files: {
      "calc.py": BUG,
      "run_all.py":
        "import sys, unittest\nimport cases.arithmetic\nsuite = unittest.defaultTestLoader.loadTestsFromModule(cases.arithmetic)\nsys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())\n",
      "cases/__init__.py": "",
      "cases/arithmetic.py":
        "import unittest\nfrom calc import add\n\n\nclass A(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n",
    },
    change: {
      "cases/arithmetic.py":
        "import unittest\n\n\nclass A(unittest.TestCase):\n    def test_add(self):\n        pass\n",
    },
    checks: [{ type: "command", cmd: "python3 run_all.py" }],
    names: /cases\/arithmetic\.py/,
  },
  {
    name: "a plugin named in addopts",
    files: {
      ...PYTHON,
      "pytest.ini": "[pytest]\naddopts = -p myplugin\npythonpath = .\n",
      "myplugin.py": "def pytest_configure(config):\n    pass\n",
    },
    change: {
      "myplugin.py":
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = 'passed'\n",
    },
    checks: [{ type: "command", cmd: "python3 -m pytest -q" }],
    names: /myplugin\.py/,
  },
  {
    name: "a golden file",
    files: {
      "report.py": "print('total 3')\n",
      "golden/report.txt": "total 5\n",
      "test_report.py":
        "import subprocess, sys, unittest\n\n\nclass R(unittest.TestCase):\n    def test_report(self):\n        out = subprocess.run([sys.executable, 'report.py'], capture_output=True, text=True).stdout\n        self.assertEqual(out, open('golden/report.txt').read())\n",
    },
    change: { "golden/report.txt": "total 3\n" },
    checks: [UNITTEST],
    names: /golden\/report\.txt/,
  },
  {
    name: "a script that the checked script starts",
    files: {
      "calc.py": BUG,
      "all.sh": "python3 verify_calc.py\n",
      "verify_calc.py": "from calc import add\nassert add(2, 3) == 5\n",
    },
    change: { "verify_calc.py": "pass\n" },
    checks: [{ type: "command", cmd: "bash all.sh" }],
    names: /verify_calc\.py/,
  },
  {
    name: "the schema behind a relative reference",
    files: { "data.json": '{"a": "x"}', "shape.json": '{"type": "object", "properties": {"a": {"type": "number"}}}' },
    change: { "shape.json": "{}", "data.json": '{"a": "y"}' },
    checks: [{ type: "json_schema", path: "data.json", schema: { $ref: "shape.json" } }],
  },
  {
    name: "what a shell script compares with",
    files: {
      "calc.py": "print(2 - 3)\n",
      "run.sh": "python3 calc.py > out.txt\ncmp out.txt expected.txt\n",
      "expected.txt": "5\n",
    },
    change: { "expected.txt": "-1\n" },
    checks: [{ type: "command", cmd: "bash run.sh" }],
    names: /expected\.txt/,
  },
];
