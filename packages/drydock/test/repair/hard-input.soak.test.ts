import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

const CALC = "def add(a, b):\n    return a - b\n\n\ndef inc(a):\n    return add(a, 1)\n";
const TESTS =
  "import time\nfrom calc import add, inc\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_inc():\n    assert inc(4) == 5\n";
const FUNCTIONS = Array.from(
  { length: 2850 },
  (_, at) => `def f${at}(a, b):\n    c = a + ${at}\n    if c > b:\n        return c\n    return b\n\n\n`,
).join("");
const SLOW = Array.from(
  { length: 10 },
  (_, at) => `\n\ndef test_slow_${at}():\n    time.sleep(6)\n    assert add(${at}, 1) == ${at + 1}\n`,
).join("");

/** Each takes minutes: short forms are in the tests of the parts. */
const MENDED: [string, Record<string, string>, string][] = [
  ["a file of 20,000 lines", { "calc.py": FUNCTIONS + CALC, "test_calc.py": TESTS }, "return a + b"],
  [
    "a missing colon in a file of 20,000 lines",
    {
      "calc.py": (FUNCTIONS + CALC).replace("add(a, b):", "add(a, b)").replace("a - b", "a + b"),
      "test_calc.py": TESTS,
    },
    "def add(a, b):",
  ],
  ["a suite that takes a minute", { "calc.py": CALC, "test_calc.py": TESTS + SLOW }, "return a + b"],
  [
    "tests that read the clock",
    {
      "calc.py": CALC,
      "test_calc.py": `${TESTS}\n\ndef test_clock():\n    assert int(time.time() * 1000) % 2 == 0 or add(1, 1) == 2\n`,
    },
    "return a + b",
  ],
];

const LEFT: [string, string, RegExp][] = [
  ["sleeps for an hour", "    time.sleep(3600)\n", /never ends|passes 2 of 3 tests/],
  [
    "needs the network",
    "    import urllib.request\n    urllib.request.urlopen('http://example.com', timeout=5)\n",
    /passes 2 of 3 tests/,
  ],
  ["writes outside", "    open('/etc/drydock-was-here', 'w')\n", /passes 2 of 3 tests/],
];

const goal = { goal: "Fix add() so tests pass", model: "repair" };

describe("a goal without a model", () => {
  it.each(MENDED)("mends %s", async (_, files, expected) => {
    const t = await openGoalDock(files);
    const result = await t.run([], { ...goal, repair: { seconds: 300 } });
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(readFileSync(join(t.workspace, "calc.py"), "utf8")).toContain(expected);
  });

  it.each(LEFT)("ends, and says how far it came, where a test %s", async (_, body, expected) => {
    const t = await openGoalDock({ "calc.py": CALC, "test_calc.py": `${TESTS}\n\ndef test_hard():\n${body}` });
    const result = await t.run([], { ...goal, repair: { seconds: 30 } });
    expect(result.verdict).toBe("failed");
    expect(JSON.stringify(t.events)).toMatch(expected);
    expect(readFileSync(join(t.workspace, "calc.py"), "utf8")).toBe(CALC);
  });
});
