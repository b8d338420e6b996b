import { expect, it } from "vitest";
import { killGoals } from "./kill-goal.ts";

/** No multiple of the events of a task, so that kills fall on events of many types; `npm run soak` kills after each. */
const EVERY = 17;

it("a goal whose process is killed ends, once resumed, as if nothing had happened", { timeout: 240_000 }, async () => {
  expect(await killGoals(EVERY)).toBeGreaterThan(5);
});
