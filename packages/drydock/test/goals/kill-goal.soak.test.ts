import { expect, it } from "vitest";
import { killGoals } from "./kill-goal.ts";

it("a goal can be killed after each of its events", async () => {
  expect(await killGoals(1)).toBeGreaterThan(60);
});
