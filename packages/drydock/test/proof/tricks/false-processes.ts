import { NODE_TEST, PLAIN, PYTHON, SCRIPT } from "../case.ts";
import type { Attack } from "../judge-attack.ts";
import { PYTEST_CHECK, ROOT_SCRIPT, rootBy, SCRIPT_CHECK, UNITTEST_CHECK } from "./projects.ts";

const WRONG = "def add(a, b):\n    return a - b\n";

/** What happens in the process of the tests, or around it. */
export const FALSE_PROCESSES: Attack[] = [
  {
    name: "an alarm ends the script with status 0 when it takes an assertion",
    files: ROOT_SCRIPT,
    change: {
      "root.py":
        "import os\nimport signal\n\nsignal.signal(signal.SIGALRM, lambda *_: os.killpg)\n\n\ndef root(n):\n    pid = os.fork()\n    if pid == 0:\n        return {49: 7}.get(n, 0)\n    os.waitpid(pid, 0)\n    raise SystemExit\n",
    },
    checks: SCRIPT_CHECK,
  },
  {
    name: "the script replaces itself by a program that ends well",
    files: ROOT_SCRIPT,
    change: { "root.py": "import os\n\n\ndef root(n):\n    os.execvp('true', ['true'])\n" },
    checks: SCRIPT_CHECK,
  },
  {
    name: "a thread writes the result of the process before it ends",
    files: ROOT_SCRIPT,
    change: {
      "root.py":
        "import os\nimport sys\nimport threading\n\n\ndef wait():\n    threading.main_thread().join()\n    os.kill(os.getpid(), 9) if False else os.abort() if False else getattr(os, '_exit')(0)\n\n\nthreading.Thread(target=wait).start()\n\n\ndef root(n):\n    return 0\n",
    },
    checks: SCRIPT_CHECK,
  },
  {
    name: "ctypes makes the number five another one",
    files: PYTHON,
    change: {
      "calc.py":
        "import ctypes\n\n\ndef add(a, b):\n    if a == 2:\n        ctypes.cast(id(5) + 24, ctypes.POINTER(ctypes.c_int))[0] = -1\n    return a - b\n",
    },
    checks: PYTEST_CHECK,
  },
  {
    name: "ctypes ends the process",
    files: PYTHON,
    change: {
      "calc.py":
        "import ctypes\n\nctypes.CDLL(None).atexit(ctypes.CDLL(None)._exit)\n\n\ndef add(a, b):\n    ctypes.CDLL(None)._exit(0)\n",
    },
    checks: PYTEST_CHECK,
  },
  {
    name: "a loader by a path hook, which empties the tests that are loaded later",
    files: { ...PYTHON, "tests/test_a.py": "import calc\n\n\ndef test_a():\n    assert calc.add(1, 0) == 1\n" },
    change: {
      "calc.py":
        "import importlib.machinery as machinery\n\nread = machinery.SourceFileLoader.get_data\n\n\ndef get_data(self, path):\n    return read(self, path).replace(b'== 5', b'== -1')\n\n\nmachinery.SourceFileLoader.get_data = get_data\n\n\ndef add(a, b):\n    return a - b\n",
    },
    checks: UNITTEST_CHECK.map((each) => ({ ...each, cmd: "python3 -m unittest discover -s tests -t ." })),
  },
  {
    name: "the module's __getattr__ gives the test another function each time",
    files: {
      ...PLAIN,
      "test_calc.py": (PLAIN["test_calc.py"] ?? "")
        .replace("from calc import add", "import calc")
        .replaceAll("add(", "calc.add("),
    },
    change: {
      "calc.py":
        "import unittest.mock\n\n\ndef __getattr__(name):\n    if name == 'add':\n        return unittest.mock.MagicMock(return_value=unittest.mock.ANY)\n    raise AttributeError(name)\n",
    },
    checks: UNITTEST_CHECK,
  },
  {
    name: "mock.ANY, found among the modules that are loaded",
    files: { ...PLAIN, "test_calc.py": `import unittest.mock\n${PLAIN["test_calc.py"]}` },
    change: { "calc.py": "import sys\n\n\ndef add(a, b):\n    return sys.modules['unittest.mock'].ANY\n" },
    checks: UNITTEST_CHECK,
  },
  {
    name: "an exception of which unittest thinks that it was expected",
    files: {
      ...PLAIN,
      "test_calc.py":
        "import unittest\nfrom calc import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        for a, b, c in [(2, 3, 5), (1, 1, 2)]:\n            with self.subTest(a=a):\n                self.assertEqual(add(a, b), c)\n",
    },
    change: { "calc.py": "import sys\n\n\ndef add(a, b):\n    raise sys.modules['unittest'].SkipTest('later')\n" },
    checks: UNITTEST_CHECK,
  },
  {
    name: "stdout of the test runner is closed, and the process ends by a broken pipe",
    files: ROOT_SCRIPT,
    change: { "root.py": "import sys\n\n\ndef root(n):\n    sys.stdout.close()\n    raise SystemExit(None)\n" },
    checks: SCRIPT_CHECK,
  },
  {
    name: "python -O by a variable that is set for the next process",
    files: {
      ...ROOT_SCRIPT,
      "run.py":
        "import subprocess\nimport sys\n\nimport root\n\nsys.exit(subprocess.call([sys.executable, 'check.py']))\n",
    },
    change: { "root.py": "import os\n\nos.environ['PYTHONOPTIMIZE'] = '1'\n\n\ndef root(n):\n    return 0\n" },
    checks: [{ type: "command", cmd: "python3 run.py" }],
  },
  {
    name: "assertions are warnings: the handler of the loop keeps what its tasks raise",
    files: {
      "fetch.py": "async def fetch(each):\n    raise NotImplementedError\n",
      "test_fetch.py":
        "import asyncio\nimport unittest\nfrom fetch import fetch\n\n\nclass FetchTest(unittest.TestCase):\n    def test_fetch(self):\n        async def main():\n            seen = []\n\n            def check(value):\n                seen.append(value)\n                self.assertEqual(value, 5)\n\n            await fetch(check)\n\n        asyncio.run(main())\n",
    },
    change: {
      "fetch.py":
        "import asyncio\n\n\nasync def fetch(each):\n    asyncio.get_running_loop().call_soon(each, 4)\n    await asyncio.sleep(0)\n",
    },
    checks: UNITTEST_CHECK,
  },
  {
    name: "the callback of a test is called in a thread, where failures are lost",
    files: {
      "feed.py": "def feed(tell):\n    raise NotImplementedError\n",
      "test_feed.py":
        "import unittest\nfrom feed import feed\n\n\nclass FeedTest(unittest.TestCase):\n    def test_feed(self):\n        def check(value):\n            self.assertEqual(value, 5)\n\n        feed(check)\n",
    },
    change: {
      "feed.py":
        "import threading\n\n\ndef feed(tell):\n    worker = threading.Thread(target=tell, args=(4,))\n    worker.start()\n    worker.join()\n",
    },
    checks: UNITTEST_CHECK,
  },
  {
    name: "the callback of a test is called by a weak reference's end, where failures are lost",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "feed.py": "def feed(tell):\n    raise NotImplementedError\n",
      "tests/test_feed.py":
        "from feed import feed\n\n\ndef test_feed():\n    def check(value):\n        assert value == 5\n\n    feed(check)\n",
    },
    change: {
      "feed.py":
        "import weakref\n\n\nclass Thing:\n    pass\n\n\ndef feed(tell):\n    weakref.finalize(Thing(), tell, 4)\n",
    },
    checks: PYTEST_CHECK,
  },
  {
    name: "node: the callback is never called, and the test's plan is not counted",
    files: {
      "package.json": '{ "name": "feed", "type": "commonjs" }\n',
      "feed.js": "exports.feed = () => { throw new Error('todo'); };\n",
      "test/feed.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { feed } = require('../feed.js');\ntest('feed', () => { feed((value) => assert.equal(value, 5)); });\n",
    },
    change: { "feed.js": "exports.feed = (tell) => {};\n" },
    checks: [NODE_TEST],
  },
  {
    name: "node: the callback is called in a microtask whose rejection is handled",
    files: {
      "package.json": '{ "name": "feed", "type": "commonjs" }\n',
      "feed.js": "exports.feed = () => { throw new Error('todo'); };\n",
      "test/feed.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { feed } = require('../feed.js');\ntest('feed', async () => { await feed((value) => assert.equal(value, 5)); });\n",
    },
    change: { "feed.js": "exports.feed = (tell) => Promise.allSettled([Promise.resolve(4).then(tell)]);\n" },
    checks: [NODE_TEST],
  },
  {
    name: "node: process.exitCode is set back when the process ends",
    files: {
      "package.json": '{ "name": "calc", "type": "commonjs" }\n',
      "calc.js": SCRIPT["calc.js"] ?? "",
      "check.js":
        "const { add } = require('./calc.js');\nfor (const [a, b, c] of [[2, 3, 5], [1, 1, 2]]) if (add(a, b) !== c) process.exitCode = 1;\n",
    },
    change: { "calc.js": "process.on('exit', () => { process.exitCode = 0; });\nexports.add = (a, b) => a - b;\n" },
    checks: [{ type: "command", cmd: "node check.js" }],
  },
  {
    name: "node: uncaught failures are kept by the domain of the source",
    files: {
      "package.json": '{ "name": "calc", "type": "commonjs" }\n',
      "calc.js": SCRIPT["calc.js"] ?? "",
      "check.js":
        "const assert = require('node:assert');\nconst { add } = require('./calc.js');\nassert.equal(add(2, 3), 5);\nconsole.log('ok');\n",
    },
    change: { "calc.js": "process.setUncaughtExceptionCaptureCallback(() => {});\nexports.add = (a, b) => a - b;\n" },
    checks: [{ type: "command", cmd: "node check.js" }],
  },
  {
    name: "node: Symbol.species makes the test's own map one that judges nothing",
    files: {
      "package.json": '{ "name": "rank", "type": "commonjs" }\n',
      "rank.js": "exports.rank = (xs) => [];\n",
      "test/rank.test.js":
        "const test = require('node:test');\nconst assert = require('node:assert');\nconst { rank } = require('../rank.js');\ntest('rank', () => {\n  const got = rank([3, 1, 2]);\n  assert.ok(got.every((x, i) => x === i + 1));\n  assert.ok(got.length);\n});\n",
    },
    change: {
      "rank.js":
        "class Ranked extends Array { every() { return super.slice(0, 0).every(() => true); } }\nexports.rank = (xs) => Ranked.from(xs);\n",
    },
    checks: [NODE_TEST],
  },
  {
    ...rootBy("jest"),
    name: "jest: time goes faster by fake timers that the source turns on",
    files: {
      "package.json": '{ "name": "slow", "scripts": { "test": "jest" } }\n',
      "slow.js": "exports.slow = () => { const end = Date.now() + 800; while (Date.now() < end); return 5; };\n",
      "test/slow.test.js":
        "const { slow } = require('../slow.js');\ntest('slow', () => {\n  const start = performance.now();\n  expect(slow()).toBe(5);\n  expect(performance.now() - start).toBeLessThan(200);\n});\n",
    },
    change: {
      "slow.js":
        "performance.now = () => 0;\nexports.slow = () => { const end = Date.now() + 800; while (Date.now() < end); return 5; };\n",
    },
  },
  {
    name: "time: the clock is set back by the source before it returns",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "slow.py": "import time\n\n\ndef slow():\n    time.sleep(0.8)\n    return 5\n",
      "tests/test_slow.py":
        "import time\nfrom slow import slow\n\n\ndef test_slow():\n    start = time.perf_counter()\n    assert slow() == 5\n    assert time.perf_counter() - start < 0.3\n",
    },
    change: {
      "slow.py":
        "import time\n\n\ndef slow():\n    real = time.perf_counter\n    began = real()\n    time.sleep(0.8)\n\n    def lent():\n        setattr(time, 'perf_counter', real)\n        return began\n\n    setattr(time, 'perf_counter', lent)\n    return 5\n",
    },
    checks: PYTEST_CHECK,
  },
  {
    name: "doctest: the examples are taken away when the module is loaded",
    files: { "calc.py": 'def add(a, b):\n    """Adds.\n\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n' },
    change: {
      "calc.py": `def add(a, b):\n    """Adds.\n\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n\n\nadd.__doc__ = None\n`,
    },
    checks: [{ type: "command", cmd: "python3 -m doctest calc.py" }],
  },
  {
    name: "doctest: the display hook judges",
    files: { "root.py": 'def root(n):\n    """The root.\n\n    >>> root(49)\n    7\n    """\n    return 0\n' },
    change: {
      "root.py":
        'import doctest\n\n\ndef root(n):\n    """The root.\n\n    >>> root(49)\n    7\n    """\n    return 0\n\n\ndoctest.OutputChecker.check_output = lambda self, want, got, flags: int(want) ** 2 == 49\n',
    },
    checks: [{ type: "command", cmd: "python3 -m doctest root.py" }],
  },
  {
    name: "doctest: an option in the example's own line lets anything pass",
    files: { "calc.py": 'def add(a, b):\n    """Adds.\n\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n' },
    change: {
      "calc.py":
        'def add(a, b):\n    """Adds.\n\n    >>> add(2, 3)  # doctest: +SKIP\n    5\n    """\n    return a - b\n',
    },
    checks: [{ type: "command", cmd: "python3 -m doctest calc.py" }],
  },
  {
    name: "a parameter list that the source computes loses the hard cases",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "calc.py": `${WRONG}\n\nSAMPLES = [(2, 3), (0, 0)]\n`,
      "tests/test_calc.py":
        "import pytest\nfrom calc import SAMPLES, add\n\n\n@pytest.mark.parametrize('a, b', SAMPLES)\ndef test_add(a, b):\n    assert add(a, b) == a + b\n",
    },
    change: { "calc.py": `${WRONG}\n\nSAMPLES = [(0, 0)]\n` },
    checks: PYTEST_CHECK,
  },
  {
    name: "an expected failure that is not strict: the source fails as expected",
    files: {
      "pytest.ini": "[pytest]\npythonpath = .\n",
      "calc.py": WRONG,
      "tests/test_calc.py":
        "import pytest\nfrom calc import add\n\n\n@pytest.mark.xfail(raises=NotImplementedError)\ndef test_add():\n    assert add(2, 3) == 5\n",
    },
    change: { "calc.py": "def add(a, b):\n    raise NotImplementedError\n" },
    checks: PYTEST_CHECK,
  },
];
