import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDock } from "drydock";
import { expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";
import { FILES, UNITTEST } from "./add-project.ts";
import { spawnChild } from "./kill-goal.ts";

const TASK = { id: "fix", scope: ["add.py"], checks: [{ type: "command", cmd: UNITTEST }], attempts: 3 };
const MORE = { plan: { goal: "Fix add()", tasks: [TASK] }, repair: { seconds: 40, candidates: 200 } };
/** Events 0 to 3: created, plan, task and attempt. Then come the phases of the search: baseline, localise, search. */
const WITHIN_SEARCH = 6;

it.each([
  ["in the middle of its search", WITHIN_SEARCH],
  ["before its search", 3],
])("a repair that is killed %s is taken up and comes to the same change", { timeout: 120_000 }, async (_, killAt) => {
  const { home, workspace, dock: opened } = await openGoalDock(FILES);
  await opened.close();
  expect(await spawnChild([home, workspace, "repair", String(killAt), JSON.stringify(MORE)])).toBe("SIGKILL");
  expect(readFileSync(join(workspace, "add.py"), "utf8")).toBe(FILES["add.py"]);
  const dock = await createDock({ home, warm: 1 });
  try {
    const { runs } = await dock.runs.list();
    const result = await dock.goals.resume(runs[0]?.id ?? "");
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied", repairs: [{ chosen: 1 }] });
    const events = await dock.runs.events(result.runId);
    for (const type of ["repair.finished", "attempt.finished", "task.verified", "task.done", "layer.applied"]) {
      expect(
        events.filter((event) => event.type === type),
        type,
      ).toHaveLength(1);
    }
    expect((await dock.audit.verify()).ok).toBe(true);
  } finally {
    await dock.close();
  }
  expect(readFileSync(join(workspace, "add.py"), "utf8")).toContain("a + b");
});
