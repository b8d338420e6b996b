import { describe, expect, it } from "vitest";
import { openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

const TESTS = `
import unittest

class Plain(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.assertEqual(1, 2)
    def test_errs(self): raise RuntimeError("no")
    def test_skips(self): self.skipTest("later")
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    @unittest.expectedFailure
    def test_passes_unexpectedly(self): pass
    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n): self.assertEqual(n, 1)
    def test_good_parts(self):
        for n in (1, 2):
            with self.subTest(n=n): self.assertGreater(n, 0)

class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("no")
    def test_never_runs(self): pass

class Skipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise unittest.SkipTest("not here")
    def test_never_runs(self): pass

class Later(unittest.IsolatedAsyncioTestCase):
    async def test_waits(self): pass

if __name__ == "__main__":
    unittest.main()
`;

const EXPECTED = {
  "Plain.test_passes": "passed",
  "Plain.test_fails": "failed",
  "Plain.test_errs": "failed",
  "Plain.test_skips": "skipped",
  "Plain.test_expected": "expected",
  "Plain.test_passes_unexpectedly": "failed",
  "Plain.test_parts": "failed",
  "Plain.test_good_parts": "passed",
  "Broken.test_never_runs": "failed",
  "Skipped.test_never_runs": "skipped",
  "Later.test_waits": "passed",
};

describe("what unittest reports", () => {
  it.each([
    "python3 -m unittest",
    "python3 -m unittest tests.test_a",
    "python3 tests/test_a.py",
    "python3 -m unittest discover -s tests",
  ])("is the same by %s", async (command) => {
    const report = await witness.report({ "tests/__init__.py": "", "tests/test_a.py": TESTS }, command);
    const expected = Object.fromEntries(
      Object.entries(EXPECTED).map(([id, outcome]) => [`tests/test_a.py::${id}`, outcome]),
    );
    expect(outcomes(report)).toEqual(expected);
    expect(report).toMatchObject({ exitCode: 1, runners: [{ name: "unittest", complete: true }], named: [] });
    expect(report.tests.every(({ file }) => file === "tests/test_a.py")).toBe(true);
  });

  it("names the tests of a module that can't be imported", async () => {
    const source = "import unittest, missing\nclass A(unittest.TestCase):\n    def test_b(self): pass\n";
    for (const command of ["python3 -m unittest", "python3 -m unittest tests.test_a"]) {
      const report = await witness.report({ "tests/__init__.py": "", "tests/test_a.py": source }, command);
      expect(report.tests).toEqual([]);
      expect(report.named).toEqual([{ id: "tests/test_a.py::A.test_b", file: "tests/test_a.py" }]);
    }
  });

  it("has no end where the process ends itself", async () => {
    const source =
      "import os, unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n    def test_b(self): os._exit(0)\n";
    const report = await witness.report({ "test_a.py": source }, "python3 -m unittest");
    expect(report).toMatchObject({ exitCode: 0, runners: [{ name: "unittest", complete: false }] });
    expect(outcomes(report)).toEqual({ "test_a.py::A.test_a": "passed" });
    expect(report.named.map(({ id }) => id)).toEqual(["test_a.py::A.test_b"]);
  });
});
