import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { judgeOne } from "./judge.ts";

const test = openTestDock();
const CHECK = { type: "command", cmd: "pytest -q" } as const;
/** More processor time than a test may take on the untouched tree before its run is ended. */
const SLOW =
  "import time\nimport area\ndef test_slow():\n    end = time.process_time() + 15\n    while time.process_time() < end: pass\n    assert area.area(2, 5) == 10\n";

it("a slow test that passes before and after a change proves nothing", async () => {
  const before = { "area.py": "def area(a, b): return a * b\n", "test_area.py": SLOW };
  const after = { ...before, "area.py": "def area(a, b): return b * a\n" };
  const result = await judgeOne(test.dock, after, CHECK, { before });
  expect(result).toMatchObject({ verdict: "passed", alsoPassesBefore: true });
  expect(result.proves).not.toBe(true);
});

it("a slow test that fails before a change and passes after it is proof", async () => {
  const before = { "area.py": "def area(a, b): return a + b\n", "test_area.py": SLOW };
  const after = { ...before, "area.py": "def area(a, b): return a * b\n" };
  const result = await judgeOne(test.dock, after, CHECK, { before });
  expect(result).toMatchObject({ verdict: "passed", alsoPassesBefore: false, proves: true });
});

it("a loop without end that a change ends is proof", async () => {
  const tests = "import area\ndef test_area(): assert area.area(2, 5) == 10\n";
  const before = { "area.py": "def area(a, b):\n    while b: pass\n    return a * b\n", "test_area.py": tests };
  const after = { ...before, "area.py": "def area(a, b):\n    return a * b\n" };
  const result = await judgeOne(test.dock, after, CHECK, { before });
  expect(result).toMatchObject({ verdict: "passed", alsoPassesBefore: false, proves: true });
});
