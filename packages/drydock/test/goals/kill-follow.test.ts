import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDock } from "drydock";
import { expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";
import { spawnChild } from "./kill-goal.ts";

const plan = (path: string) => ({
  goal: `write ${path}`,
  tasks: [{ id: "t", scope: [path], checks: [{ type: "file_exists", path }] }],
});
const write = (path: string, content: string) => ({ writes: [{ path, content }] });

// Before it is on record what is taken over, right after, and while the task is under way.
it.each([0, 1, 4])(
  "a run that follows another and is killed after event %i ends as any",
  { timeout: 60_000 },
  async (killAt) => {
    const t = await openGoalDock({ "old.txt": "old\n" });
    const first = await t.run([write("a.txt", "first\n")], { plan: plan("a.txt"), apply: "never" });
    await t.dock.close();
    const model = t.writeScript([write("b.txt", "second\n")]);
    const more = JSON.stringify({ plan: plan("b.txt"), follow: first.runId });
    expect(await spawnChild([t.home, t.workspace, model, String(killAt), more])).toBe("SIGKILL");
    const dock = await createDock({ home: t.home, warm: 1 });
    try {
      const killed = await dock.runs.get("last");
      expect(killed.status).toBe("interrupted");
      expect(await dock.goals.resume(killed.id)).toMatchObject({ verdict: "passed", delivery: "applied", error: null });
      const read = (path: string) => readFileSync(join(t.workspace, path), "utf8");
      expect([read("a.txt"), read("b.txt")]).toEqual(["first\n", "second\n"]);
      const events = await dock.runs.events(killed.id);
      expect(events.filter(({ type }) => type === "run.followed")).toHaveLength(1);
      expect(await dock.runs.replay(killed.id)).toMatchObject({ ok: true });
      expect((await dock.audit.verify()).ok).toBe(true);
    } finally {
      await dock.close();
    }
  },
);
