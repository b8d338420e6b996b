import { expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

const FILES = {
  "price.py": "def price(count):\n    raise NotImplementedError\n",
  "test_price.py":
    "import unittest\nfrom price import price\n\n\nclass P(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(price(1), 10)\n",
};
const SOURCE = "def price(count):\n    if count >= 5:\n        return count * 8\n    return count * 10\n";
const MORE =
  "import unittest\nfrom price import price\n\n\nclass More(unittest.TestCase):\n    def test_many(self):\n        self.assertEqual([price(2), price(4), price(5), price(6)], [20, 40, 40, 48])\n";
const PLAN = {
  goal: "price",
  tasks: [
    {
      id: "price",
      attempts: 2,
      scope: ["price.py", "test_more.py"],
      checks: [{ type: "command", cmd: "python3 -m unittest -q" }],
    },
  ],
};

it("a change whose tests notice too few faults is sent back with those that nobody noticed", async () => {
  const t = await openGoalDock(FILES);
  const first = { writes: [{ path: "price.py", content: SOURCE }] };
  const second = {
    when: { step: "rework", contains: "count * 8" },
    writes: [...first.writes, { path: "test_more.py", content: MORE }],
  };
  const result = await t.run([first, second], { plan: PLAN, minStrength: 0.8 });
  expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
  const [weak, strong] = t.data("check.finished").filter(({ type }) => type === "strength");
  expect(weak).toMatchObject({ verdict: "failed", code: "too_weak" });
  expect(Object(weak?.strength).score).toBeLessThan(0.8);
  expect(strong).toMatchObject({ verdict: "passed" });
  expect(Object(strong?.strength).score).toBeGreaterThanOrEqual(0.8);
});

it("without the demand nothing is measured", async () => {
  const t = await openGoalDock(FILES);
  const result = await t.run([{ writes: [{ path: "price.py", content: SOURCE }] }], { plan: PLAN });
  expect(result.verdict).toBe("passed");
  expect(t.data("check.finished").filter(({ type }) => type === "strength")).toEqual([]);
});
