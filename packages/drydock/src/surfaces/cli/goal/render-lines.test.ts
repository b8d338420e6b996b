import type { RunEvent } from "@drydock/protocol";
import pc from "picocolors";
import { expect, it } from "vitest";
import { followGoal } from "./goal-state.ts";
import { renderLine } from "./render-lines.ts";

it("attempts beyond those that were planned are counted as they were made", async () => {
  const follower = await followGoal();
  const take = (type: string, data: object) => {
    const event = { runId: "run_1", seq: 1, type, at: "2026-01-01T00:00:00.000Z", data, prevHash: "", hash: "" };
    follower.take(event as RunEvent);
    return renderLine(event as RunEvent, follower.state, pc.createColors(false));
  };
  const fix = { id: "fix", title: "Fix", checks: [{ type: "command", cmd: "true" }], attempts: 3 };
  const task = { ...fix, instructions: "", dependsOn: [], scope: ["**"] };
  take("plan.accepted", { key: "plan", plan: { goal: "g", tasks: [task] }, source: "given", review: "none" });
  take("task.started", { task: "fix" });
  const start = (attempt: number) => take("attempt.started", { task: "fix", attempt, baseHash: "b", on: [] });
  expect([start(1), start(2)]).toEqual(["", "fix: attempt 2 of 3\n"]);
  // The model gave up after its second; repair counts on from the third.
  expect(start(4)).toBe("fix: attempt 4\n");
  expect(take("task.done", { task: "fix", attempts: 4 })).toBe("fix: done in 3 attempts\n");
});
