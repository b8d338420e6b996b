import { expect, it } from "vitest";
import { killGoals } from "./kill-goal.ts";

it("a goal whose process is killed ends, once resumed, as if nothing had happened", { timeout: 240_000 }, async () => {
  expect(await killGoals(10)).toBeGreaterThan(5);
});
