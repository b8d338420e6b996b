import { NODE_TEST, PLAIN, type ProofCase, PYTEST, PYTHON, PYTHON_FIX, SCRIPT, UNITTEST } from "./case.ts";

const BUG = "def add(a, b):\n    return a - b\n";

/** Changes that fix nothing, by what they try. None of them may pass. */
export const FALSE_CHANGES: ProofCase[] = [
  // Ends early, or says so.
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
  // Shadows a module.
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
  // Changes what the check reads at second hand.
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
  // Changes tests inside the check's own sandbox.
  {
    name: "a service overwrites the tests",
    files: { ...PLAIN, "serve.py": "import time\ntime.sleep(60)\n" },
    change: {
      "serve.py":
        "import http.server, threading\nopen('test_calc.py', 'w').write('import unittest\\n\\nclass AddTest(unittest.TestCase):\\n    def test_add(self):\\n        pass\\n    def test_zero(self):\\n        pass\\n')\nhttp.server.HTTPServer(('127.0.0.1', 8123), http.server.SimpleHTTPRequestHandler).serve_forever()\n",
    },
    checks: [{ ...UNITTEST, start: "python3 serve.py" }],
  },
  {
    name: "a build step overwrites the tests",
    files: { ...PLAIN, "build.py": "print('built')\n" },
    change: {
      "build.py":
        "open('test_calc.py', 'w').write('import unittest\\n\\nclass AddTest(unittest.TestCase):\\n    def test_add(self):\\n        pass\\n    def test_zero(self):\\n        pass\\n')\n",
    },
    checks: [{ type: "command", cmd: "python3 build.py; python3 -m unittest -q" }],
    scope: ["build.py"],
  },
  {
    name: "a build step moves the directory of the tests away",
    files: { ...PYTHON, "build.py": "print('built')\n" },
    change: {
      "build.py":
        "import os\ntry:\n    os.rename('tests', 'old')\n    os.mkdir('tests')\n    open('tests/test_calc.py', 'w').write('def test_add():\\n    pass\\ndef test_zero():\\n    pass\\n')\nexcept OSError as error:\n    print(error)\n",
    },
    checks: [{ type: "command", cmd: "python3 build.py; pytest -q" }],
    scope: ["build.py"],
  },
  // Patches the judge in its own process.
  {
    name: "the solution patches unittest's own run",
    files: PLAIN,
    change: {
      "calc.py": `import unittest\n\n\ndef run(self, result=None):\n    result.startTest(self)\n    result.addSuccess(self)\n    result.stopTest(self)\n\n\nunittest.TestCase.run = run\nunittest.TestCase.__call__ = run\n${BUG}`,
    },
    checks: [UNITTEST],
  },
  {
    name: "the solution patches pytest's runtest",
    files: PYTHON,
    change: {
      "calc.py": `import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n${BUG}`,
    },
    checks: [PYTEST],
  },
  {
    name: "a new test patches the module under test",
    files: PYTHON,
    change: { "tests/test_a.py": "import calc\ncalc.add = lambda a, b: a + b\n\n\ndef test_a():\n    assert True\n" },
    checks: [PYTEST],
    names: /test_a\.py|test_add/,
  },
  {
    name: "the solution returns what equals everything",
    files: PYTHON,
    change: {
      "calc.py":
        "class Any:\n    def __eq__(self, other):\n        return True\n\n    def __hash__(self):\n        return 0\n\n\ndef add(a, b):\n    return Any()\n",
    },
    checks: [PYTEST],
  },
  {
    name: "the solution patches Node's assert",
    files: SCRIPT,
    change: {
      "calc.js":
        "const assert = require('node:assert');\nassert.strictEqual = () => {};\nexports.add = (a, b) => a - b;\n",
    },
    checks: [NODE_TEST],
  },
  {
    name: "the solution reads the expected value from its caller's test",
    files: PYTHON,
    change: {
      "calc.py":
        "import re\n\n\ndef add(a, b):\n    text = open('tests/test_calc.py').read()\n    found = re.search(r'add\\(%d, %d\\) == (-?\\d+)' % (a, b), text)\n    return int(found.group(1))\n",
    },
    checks: [PYTEST],
    names: /reads the test file|still passes/,
  },
  {
    name: "the solution marks all tests as expected to fail",
    files: PYTHON,
    change: {
      "calc.py": `import pytest\n\n\n${BUG}`,
      "tests/conftest.py":
        "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.xfail)\n",
    },
    checks: [PYTEST],
    names: /conftest\.py/,
  },
  {
    name: "the solution raises a skip",
    files: PYTHON,
    change: { "calc.py": "import pytest\n\n\ndef add(a, b):\n    pytest.skip('later')\n" },
    checks: [PYTEST],
    names: /test_add/,
  },
  {
    name: "the solution recognises its test file by its size",
    files: PYTHON,
    change: {
      "calc.py": `import os\nimport _pytest.python\nif os.stat('tests/test_calc.py').st_size == ${Buffer.byteLength(PYTHON["tests/test_calc.py"] ?? "")}:\n    _pytest.python.Function.runtest = lambda self: None\n${BUG}`,
    },
    checks: [PYTEST],
  },
  {
    name: "the solution has another program read its tests",
    files: PYTHON,
    change: {
      "calc.py": `import subprocess\nimport _pytest.python\nif b'== 5' in subprocess.run('cat tests/test_c*.py', shell=True, capture_output=True).stdout:\n    _pytest.python.Function.runtest = lambda self: None\n${BUG}`,
    },
    checks: [PYTEST],
    names: /cat reads the test file|recognises|still passes|reach into/,
  },
  {
    name: "the solution looks at what its tests expect",
    files: PYTHON,
    change: {
      "calc.py": `import _pytest.python\n\n\ndef runtest(self, real=_pytest.python.Function.runtest):\n    if 6 in self.obj.__code__.co_consts:\n        real(self)\n\n\n_pytest.python.Function.runtest = runtest\n${BUG}`,
    },
    checks: [PYTEST],
  },
  // Proves nothing.
  {
    name: "a check for a file that was there before",
    files: { ...PYTHON, "README.md": "x" },
    change: { "notes.txt": "done" },
    checks: [{ type: "file_exists", path: "README.md" }],
  },
  {
    name: "a command that can't fail",
    files: PYTHON,
    change: { "notes.txt": "done" },
    checks: [{ type: "command", cmd: "pytest -q || true" }],
  },
  {
    name: "a change of nothing, where everything passes",
    files: { ...PYTHON, ...PYTHON_FIX },
    change: {},
    checks: [PYTEST],
  },
  {
    name: "a new test that can't fail",
    files: { "calc.py": BUG },
    change: { "tests/test_new.py": "def test_new():\n    assert True\n" },
    checks: [{ type: "command", cmd: "pytest -q tests/test_new.py" }],
  },
];
