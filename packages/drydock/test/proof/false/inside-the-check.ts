import { PLAIN, type ProofCase, PYTHON, UNITTEST } from "../case.ts";

/** Changes tests inside the check's own sandbox. */
export const INSIDE_THE_CHECK: ProofCase[] = [
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
  {
    name: "a build step overwrites the tests and puts them back when they have run",
    files: { ...PLAIN, "build.py": "print('built')\n" },
    change: {
      "build.py": [
        "import os, time",
        "whole = open('test_calc.py').read()",
        "open('test_calc.py', 'w').write('import unittest\\n\\nclass AddTest(unittest.TestCase):\\n    def test_add(self):\\n        pass\\n    def test_zero(self):\\n        pass\\n')",
        "if os.fork() == 0:",
        "    os.setsid()",
        "    for name in (0, 1, 2):",
        "        os.close(name)",
        "    time.sleep(0.6)",
        "    open('test_calc.py', 'w').write(whole)",
        "    os._exit(0)",
        "",
      ].join("\n"),
    },
    checks: [{ type: "command", cmd: "python3 build.py; python3 -m unittest -q; status=$?; sleep 1; exit $status" }],
    scope: ["build.py"],
  },
];
