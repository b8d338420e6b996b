import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

/** More than one whole layer and its differences: layers of 64 entries and more are kept as differences. */
const TASKS = 140;

it("a long chain of tasks is delivered, shown whole and replayed", { timeout: 120_000 }, async () => {
  const t = await openGoalDock({ "README.md": "To be filled.\n" });
  const ids = Array.from({ length: TASKS }, (_, index) => `t${index}`);
  const tasks = ids.map((id, index) => ({
    id,
    dependsOn: ids.slice(Math.max(0, index - 1), index),
    scope: [`${id}.txt`],
    checks: [{ type: "file_exists", path: `${id}.txt` }],
    attempts: 1,
  }));
  const answers = ids.map((id) => ({ when: { task: id }, writes: [{ path: `${id}.txt`, content: `${id}\n` }] }));
  const result = await t.run(answers, { plan: { goal: "fill it", tasks } });
  expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
  expect(readdirSync(t.workspace)).toHaveLength(TASKS + 1);
  expect((await t.dock.runs.diff(result.runId)).match(/^diff --git/gm)).toHaveLength(TASKS);
  expect((await t.dock.runs.events(result.runId)).at(-1)?.type).toBe("layer.applied");
  const replayed = await t.dock.runs.replay(result.runId);
  expect(replayed.ok).toBe(true);
});
