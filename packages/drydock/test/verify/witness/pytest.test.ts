import { describe, expect, it } from "vitest";
import { openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

const TESTS = `
import pytest, unittest

def test_passes(): pass
def test_fails(): assert 1 == 2
@pytest.mark.skip
def test_skipped(): pass
@pytest.mark.xfail
def test_expected(): assert False
@pytest.mark.xfail
def test_passes_unexpectedly(): pass
@pytest.mark.xfail(strict=True)
def test_passes_against_the_rule(): pass
@pytest.mark.parametrize("n", [1, 2])
def test_many(n): assert n == 1

@pytest.fixture
def broken(): raise RuntimeError("no")
def test_setup_fails(broken): pass

@pytest.fixture
def breaks():
    yield
    raise RuntimeError("late")
def test_teardown_fails(breaks): pass

class TestGroup:
    def test_inside(self): pass

class Old(unittest.TestCase):
    def test_old(self): pass
    @unittest.expectedFailure
    def test_old_expected(self): self.fail()
`;

describe("what pytest reports", () => {
  it("is each test's outcome under its id from the workspace", async () => {
    const report = await witness.report(
      { "pkg/tests/test_a.py": TESTS, "pkg/pytest.ini": "[pytest]\n" },
      "cd pkg && pytest -q",
    );
    const ids = Object.fromEntries(
      Object.entries(outcomes(report)).map(([id, outcome]) => [id.replace("pkg/tests/test_a.py::", ""), outcome]),
    );
    expect(ids).toEqual({
      test_passes: "passed",
      test_fails: "failed",
      test_skipped: "skipped",
      test_expected: "expected",
      test_passes_unexpectedly: "passed",
      test_passes_against_the_rule: "failed",
      "test_many[1]": "passed",
      "test_many[2]": "failed",
      test_setup_fails: "failed",
      test_teardown_fails: "failed",
      "TestGroup::test_inside": "passed",
      "Old::test_old": "passed",
      "Old::test_old_expected": "expected",
    });
    expect(report).toMatchObject({
      exitCode: 1,
      runners: [{ name: "pytest", complete: true }],
      named: [],
      truncated: false,
    });
    expect(report.tests.every(({ file, runner }) => file === "pkg/tests/test_a.py" && runner === "pytest")).toBe(true);
  });

  it("comes through a module, a variable and a program that calls it", async () => {
    const files = {
      "test_a.py": "import helper\ndef test_a(): pass\n",
      "lib/helper.py": "",
      "run.py": "import sys, pytest\nsys.path.insert(0, 'lib')\nsys.exit(pytest.main(['-q']))\n",
    };
    for (const command of [
      "PYTHONPATH=lib python3 -m pytest -q",
      "PYTHONPATH=lib pytest -q -p no:cacheprovider",
      "python3 run.py",
    ]) {
      const report = await witness.report(files, command);
      expect(report, command).toMatchObject({ exitCode: 0, runners: [{ name: "pytest", complete: true }] });
      expect(outcomes(report)).toEqual({ "test_a.py::test_a": "passed" });
    }
  });

  it("names the tests of a file that can't be imported", async () => {
    const source =
      "import missing\ndef test_a(): pass\nclass TestB:\n    def test_c(self): pass\n    def helper(self): pass\n";
    const report = await witness.report({ "tests/test_a.py": source }, "pytest -q");
    expect(report.tests).toEqual([]);
    expect(report.named).toEqual([
      { id: "tests/test_a.py::test_a", file: "tests/test_a.py" },
      { id: "tests/test_a.py::TestB::test_c", file: "tests/test_a.py" },
    ]);
  });

  it("names the tests that a broken conftest.py keeps from being collected", async () => {
    const files = {
      "tests/conftest.py": "import missing\n",
      "tests/test_a.py": "def test_a(): pass\n",
      "tests/deep/b_test.py": "def test_b(): pass\n",
      "tests/other.py": "def test_c(): pass\n",
      "elsewhere/test_d.py": "def test_d(): pass\n",
    };
    const report = await witness.report(files, "pytest -q tests");
    expect(report.exitCode).not.toBe(0);
    expect(report.runners).toEqual([{ name: "pytest", complete: false }]);
    expect(report.named.map(({ id }) => id).sort()).toEqual([
      "tests/deep/b_test.py::test_b",
      "tests/test_a.py::test_a",
    ]);
  });

  it("has no end where the process ends itself", async () => {
    for (const end of ["os._exit(0)", "os.kill(os.getpid(), 9)"]) {
      const source = `import os\ndef test_a(): pass\ndef test_b(): ${end}\ndef test_c(): pass\n`;
      const report = await witness.report({ "test_a.py": source }, "pytest -q");
      expect(report.runners).toEqual([{ name: "pytest", complete: false }]);
      expect(outcomes(report)).toEqual({ "test_a.py::test_a": "passed" });
      expect(report.named.map(({ id }) => id)).toEqual(["test_a.py::test_b", "test_a.py::test_c"]);
    }
  });

  it("arrives although the command hangs until its deadline", async () => {
    const source = "import time\ndef test_a(): pass\ndef test_b(): time.sleep(100)\n";
    const { result, report } = await witness.run({ "test_a.py": source }, "pytest -q", { timeoutSeconds: 3 });
    expect(result.error?.code).toBe("limit.timeout");
    expect(result.stderr).not.toContain("drydock-check-");
    expect(report).toMatchObject({ exitCode: null, runners: [{ name: "pytest", complete: false }] });
    expect(report?.tests.map(({ id }) => id)).toEqual(["test_a.py::test_a"]);
    expect(report?.named.map(({ id }) => id)).toEqual(["test_a.py::test_b"]);
  });

  it("leaves out what was deselected, and keeps all of a large suite", async () => {
    const source =
      "import pytest\n@pytest.mark.parametrize('n', range(2000))\ndef test_many(n): pass\ndef test_other(): pass\n";
    const report = await witness.report({ "test_a.py": source }, "pytest -q -k many");
    expect(report.tests).toHaveLength(2000);
    expect(report).toMatchObject({ truncated: false, named: [], runners: [{ complete: true }] });
  });
});
