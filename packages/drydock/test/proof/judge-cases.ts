import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GoalDock, shareGoalDock } from "../testing/goal-dock.ts";
import type { ProofCase } from "./case.ts";

const openGoal = shareGoalDock("version: 1\ncommands:\n  allow: ['*']\n");

/** One task by a scripted model whose only answer is the change. The plan counts as a planner's: it names no tests. */
async function carryOut({ files, change, checks, scope = ["**"], options = {}, earlier, programs = [] }: ProofCase) {
  const t = openGoal(files);
  for (const path of programs) chmodSync(join(t.workspace, path), 0o755);
  const task = { id: "change", title: "change", instructions: "", dependsOn: [], scope, attempts: 1, checks };
  const follow = earlier && (await leaveWork(t, earlier));
  const writes = listWrites(change);
  const isUsers = checks.some((check) => "sufficient" in check);
  const answers = [...(isUsers ? [] : [{ json: { goal: "change it", tasks: [task] } }]), { writes }];
  const goal = isUsers ? { plan: { goal: "change it", tasks: [task] } } : { goal: "change it" };
  const result = await t.run(answers, { ...goal, ...options, follow });
  return { t, result };
}

function listWrites(change: ProofCase["change"]) {
  return Object.entries(change).map(([path, content]) =>
    content === null ? { path, delete: true } : { path, content },
  );
}

/** A run whose changes nobody judged by a test, and which were not delivered. */
async function leaveWork(t: GoalDock, earlier: ProofCase["change"]): Promise<string> {
  const checks = [{ type: "file_absent", path: "nothing.txt" }];
  const plan = { goal: "begin it", tasks: [{ id: "begin", scope: ["**"], attempts: 1, checks }] };
  const { runId } = await t.run([{ writes: listWrites(earlier) }], { plan, apply: "never" });
  t.events.length = 0;
  return runId;
}

function isAsBefore(t: GoalDock, { files, change, earlier }: ProofCase): boolean {
  return Object.keys({ ...files, ...change, ...earlier }).every((path) => {
    const place = join(t.workspace, path);
    const is = existsSync(place) ? readFileSync(place, "utf8") : undefined;
    return is === files[path];
  });
}

/** Each row is a whole goal on the real sandbox. */
export function judgeCases(falseChanges: readonly ProofCase[], honestChanges: readonly ProofCase[]): void {
  describe("a change that fixes nothing is not delivered", () => {
    it.each(falseChanges.map((each) => [each.name, each] as const))("%s", async (_name, each) => {
      const { t, result } = await carryOut(each);
      const reply = [result.reason, ...t.data("check.finished").map(({ reason }) => String(reason))].join("\n");
      expect(result.error).toBeNull();
      expect({ verdict: result.verdict, told: reply }).toMatchObject({
        verdict: expect.stringMatching(/^(failed|unproven)$/),
      });
      expect(t.data("task.verified")).not.toEqual([]);
      expect(result.delivery).not.toBe("applied");
      expect(isAsBefore(t, each)).toBe(true);
      if (each.names) expect(reply).toMatch(each.names);
    });
  });

  describe("an honest change passes", () => {
    it.each(honestChanges.map((each) => [each.name, each] as const))("%s", async (_name, each) => {
      const { t, result } = await carryOut(each);
      const reply = t
        .data("check.finished")
        .map(({ verdict, reason, control, doubt }) => ({ verdict, reason, control, doubt }));
      expect(result.verdict, JSON.stringify({ reason: result.reason, told: reply })).toBe("passed");
      expect(result.delivery).toBe("applied");
    });
  });
}
