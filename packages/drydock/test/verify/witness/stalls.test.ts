import { describe, expect, it } from "vitest";
import { openWitness, outcomes } from "./witness.ts";

const witness = openWitness();

/** Long enough for a runner to start, by processor time. */
const stallSeconds = 2;
const UNITTEST = "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n";

describe("a test that never ends", () => {
  it.each([
    ["pytest", "pytest -q", "test_a.py", "def test_a(): pass\ndef test_b():\n    while True: pass\n"],
    ["unittest", "python3 -m unittest", "test_a.py", `${UNITTEST}    def test_b(self):\n        while True: pass\n`],
    [
      "node",
      "node --test",
      "a.test.js",
      'import test from "node:test"; test("a", () => {}); test("b", () => { for (;;); });',
    ],
  ])("ends the command early under %s", async (_, command, name, text) => {
    const files = { [name]: text, "package.json": '{"type":"module"}' };
    const report = await witness.report(files, command, { stallSeconds, mode: "record" });
    expect(report).toMatchObject({ stalled: true, exitCode: null });
    expect(report.runners[0]?.complete).toBe(false);
  });

  it("is told with what the tests before it gave", async () => {
    const files = { "test_a.py": "def test_a(): pass\ndef test_b():\n    while True: pass\n" };
    const report = await witness.report(files, "pytest -q", { stallSeconds });
    expect(outcomes(report)).toEqual({ "test_a.py::test_a": "passed" });
    expect(report.named).toEqual([{ id: "test_a.py::test_b", file: "test_a.py" }]);
  });

  it("is waited for where nobody asked for less", async () => {
    const report = await witness.report({ "test_a.py": "def test_a():\n    while True: pass\n" }, "pytest -q", {
      timeoutSeconds: 8,
    });
    expect(report).toMatchObject({ stalled: false, exitCode: null });
  });
});

describe("a command is not ended early", () => {
  const spin = (seconds: number) =>
    `import time\nend = time.process_time() + ${seconds}\nwhile time.process_time() < end: pass\n`;

  it.each([
    ["whose tests wait", "pytest -q", "import time\ndef test_a(): time.sleep(3)\n"],
    [
      "whose tests end one after the other",
      "pytest -q",
      `def spin():\n${spin(1).replaceAll(/^/gm, "    ")}\n${[1, 2, 3].map((n) => `def test_${n}(): spin()`).join("\n")}\n`,
    ],
    ["that is no test runner", "python3 test_a.py", spin(3)],
  ])("%s", async (_, command, text) => {
    const report = await witness.report({ "test_a.py": text }, command, { stallSeconds });
    expect(report).toMatchObject({ stalled: false, exitCode: 0 });
  });
});
