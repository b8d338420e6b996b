import type { RunEvent } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { EngineContext } from "../engine-context.ts";
import { isUsersPlan } from "./is-users-plan.ts";

const plan = { goal: "x", tasks: [{ id: "a", checks: [{ type: "file_exists", path: "a" }] }] };

function ask(planIsUsers: boolean, review: string | null): boolean {
  const data = { key: "plan", plan, source: "planner", review };
  const find = () => (review === null ? undefined : ({ data } as unknown as RunEvent));
  return isUsersPlan({ journal: { find }, settings: { planIsUsers } } as unknown as EngineContext);
}

it.each([
  ["given by a person", true, "none", true],
  ["a planner's, unseen", false, "none", false],
  ["a planner's, approved", false, "approved", true],
  ["a planner's, edited", false, "edited", true],
  ["not there", false, null, false],
])("a plan that is %s", (_, given, review, expected) => {
  expect(ask(given, review)).toBe(expected);
});
