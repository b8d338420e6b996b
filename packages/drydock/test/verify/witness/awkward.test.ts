import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

interface Case {
  name: string;
  files: Files;
  command: string;
  /** What is to be reported; where it is absent, only that nothing changed counts. */
  expected?: Record<string, string>;
}

const TEST_CASE = "import unittest\nclass A(unittest.TestCase):\n";

const CASES: Case[] = [
  {
    name: "tests that fork, start processes and use a pool",
    files: {
      "test_a.py": `
import multiprocessing, os, subprocess, sys
def square(n): return n * n
def test_fork():
    pid = os.fork()
    if pid == 0: os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
def test_spawn():
    with multiprocessing.get_context("spawn").Pool(2) as pool: assert pool.map(square, [1, 2]) == [1, 4]
def test_forked_pool():
    with multiprocessing.get_context("fork").Pool(2) as pool: assert pool.map(square, [1, 2]) == [1, 4]
def test_process():
    assert subprocess.run([sys.executable, "-I", "-c", "print(1)"], capture_output=True).stdout == b"1\\n"
`,
    },
    command: "pytest -q",
    expected: {
      "test_a.py::test_fork": "passed",
      "test_a.py::test_spawn": "passed",
      "test_a.py::test_forked_pool": "passed",
      "test_a.py::test_process": "passed",
    },
  },
  {
    name: "warnings as errors, in development mode",
    files: { "test_a.py": `${TEST_CASE}    def test_a(self): open("test_a.py").close()\n` },
    command: "python3 -X dev -W error -m unittest -q && python3 -X dev -W error -m pytest -q",
    expected: { "test_a.py::A.test_a": "passed", "test_a.py::A::test_a": "passed" },
  },
  {
    name: "tests that replace open, time and the path functions",
    files: {
      "test_a.py": `
import builtins, os, time
from unittest import mock
def test_open():
    with mock.patch("builtins.open", side_effect=RuntimeError), mock.patch("os.open", side_effect=RuntimeError), mock.patch("os.write", side_effect=RuntimeError):
        pass
def test_getcwd(monkeypatch):
    monkeypatch.setattr(os, "getcwd", lambda: 1 / 0)
    monkeypatch.setattr(os.path, "join", None)
    monkeypatch.setattr(os, "getpid", lambda: 1)
def test_closed():
    os.closerange(10, 200)
`,
    },
    command: "pytest -q",
    expected: {
      "test_a.py::test_open": "passed",
      "test_a.py::test_getcwd": "passed",
      "test_a.py::test_closed": "passed",
    },
  },
  {
    name: "a suite that looks at its interpreter",
    files: {
      "test_a.py": `
import os, sys, site
def test_path(): assert not [p for p in sys.path if "/." in p and not p.startswith(os.getcwd())], sys.path
def test_finders(): assert all(f.__module__.startswith(("_frozen", "_pytest", "importlib", "_distutils", "pkg_resources", "six")) or isinstance(f, type) for f in sys.meta_path), sys.meta_path
def test_custom(): assert "witness" not in sys.modules
`,
    },
    command: "pytest -q",
  },
  {
    name: "a sitecustomize of the workspace",
    files: {
      "lib/sitecustomize.py": "import builtins\nbuiltins.customized = 1\n",
      "test_a.py": `${TEST_CASE}    def test_a(self): self.assertEqual(customized, 1)\n`,
    },
    command: "PYTHONPATH=lib python3 -m unittest -q",
    expected: { "test_a.py::A.test_a": "passed" },
  },
  {
    name: "a virtual environment",
    files: { "test_a.py": `${TEST_CASE}    def test_a(self): pass\n` },
    command: "python3 -m venv --without-pip /tmp/v && /tmp/v/bin/python -m unittest -q",
    expected: { "test_a.py::A.test_a": "passed" },
  },
  {
    name: "an isolated interpreter",
    files: { "test_a.py": `${TEST_CASE}    def test_a(self): pass\nunittest.main()\n` },
    command: "python3 -I test_a.py -q",
  },
  {
    name: "pytest within a test of pytest",
    files: {
      "conftest.py": 'pytest_plugins = ["pytester"]\n',
      "test_a.py": `
def test_inner(pytester):
    pytester.makepyfile("def test_x(): pass\\ndef test_y(): assert 0")
    pytester.runpytest_inprocess().assert_outcomes(passed=1, failed=1)
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)
def test_after(): pass
`,
    },
    command: "pytest -q",
    expected: { "test_a.py::test_inner": "passed", "test_a.py::test_after": "passed" },
  },
  {
    name: "unittest within a test of unittest",
    files: {
      "test_a.py": `
import io, unittest
class Inner(unittest.TestCase):
    def test_x(self): self.fail()
del Inner.test_x
class A(unittest.TestCase):
    def test_inner(self):
        class B(unittest.TestCase):
            def test_b(self): self.fail()
        result = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.TestSuite([B("test_b")]))
        self.assertFalse(result.wasSuccessful())
`,
    },
    command: "python3 -m unittest -q",
    expected: { "test_a.py::A.test_inner": "passed" },
  },
  {
    name: "a result class that never calls its parent",
    files: {
      "test_a.py": `
import sys, unittest
class Result(unittest.TestResult):
    def addSuccess(self, test): print("good")
    def addFailure(self, test, error): print("bad")
class A(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): self.fail()
unittest.defaultTestLoader.loadTestsFromTestCase(A).run(Result())
`,
    },
    command: "python3 test_a.py",
    expected: { "test_a.py::A.test_a": "passed", "test_a.py::A.test_b": "failed" },
  },
  {
    name: "doctests",
    files: {
      "a.py": '"""\n>>> 1 + 1\n2\n"""\n',
      "test_a.py":
        "import doctest, a\ndef load_tests(loader, tests, ignore):\n    tests.addTests(doctest.DocTestSuite(a))\n    return tests\n",
    },
    command: "python3 -m unittest -q && pytest -q --doctest-modules a.py",
    expected: { "a.py::a": "passed" },
  },
  {
    name: "a plugin that deselects, stops early, or only collects",
    files: {
      "conftest.py": `
def pytest_collection_modifyitems(config, items):
    dropped = [item for item in items if item.name == "test_dropped"]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if item not in dropped]
`,
      "test_a.py": "def test_a(): pass\ndef test_dropped(): assert 0\n",
    },
    command: "pytest -q -p no:cacheprovider && pytest -q --co && pytest -x -q",
    expected: { "test_a.py::test_a": "passed" },
  },
  {
    name: "Node tests that replace fs and emit",
    files: {
      "a.test.cjs": `
const { test, mock } = require("node:test");
const fs = require("node:fs");
const { Readable } = require("node:stream");
test("fs", () => { mock.method(fs, "openSync", () => { throw new Error("no"); }); mock.method(fs, "writeSync", () => { throw new Error("no"); }); });
test("after", () => { if (Object.keys(Readable.prototype).includes("emit")) throw new Error("seen"); });
`,
    },
    command: "node --test --test-reporter=dot",
    expected: { "a.test.cjs > fs": "passed", "a.test.cjs > after": "passed" },
  },
];

const DEMOS = join(import.meta.dirname, "../../../../../demo");

function readDemo(name: string): Files {
  const paths = readdirSync(join(DEMOS, name), { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const whole = paths.map(({ parentPath, name: file }) => join(parentPath, file));
  return Object.fromEntries(whole.map((path) => [relative(join(DEMOS, name), path), readFileSync(path, "utf8")]));
}

CASES.push(
  { name: "the Python demo", files: readDemo("python-bugfix"), command: "pytest -q" },
  {
    name: "the Node demo",
    files: readDemo("node-bugfix"),
    command: "node --test --test-reporter=dot 2>&1 | grep -v '^ *at '",
  },
);

const plain = (text: string) =>
  text.replaceAll(/\d+(\.\d+)? ?(s|ms)\b/g, "TIME").replaceAll(/\/tmp\/[\w./-]+|0x[0-9a-f]+/g, "PLACE");

describe("awkward suites", () => {
  it.each(CASES)("$name end as they do without a witness, and are reported", async ({ files, command, expected }) => {
    const bare = await witness.bare(files, command);
    const { report, result } = await witness.run(files, command, { mode: "record" });
    const seen = { exitCode: report?.exitCode, stdout: plain(result.stdout), stderr: plain(result.stderr) };
    expect(seen).toEqual({ exitCode: bare.exitCode, stdout: plain(bare.stdout), stderr: plain(bare.stderr) });
    if (!report || !expected) return;
    expect(outcomes(report)).toEqual(expected);
    expect(report.runners.every(({ complete }) => complete)).toBe(true);
  });
});
