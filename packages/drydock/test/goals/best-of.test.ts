import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";
import { FILES, UNITTEST } from "./add-project.ts";

const PLAN = {
  goal: "Make add() add",
  tasks: [{ id: "fix", scope: ["add.py"], checks: [{ type: "command", cmd: UNITTEST }], attempts: 2 }],
};
const writes = (body: string) => ({ writes: [{ path: "add.py", content: `def add(a, b):\n${body}` }] });
const WRONG = writes("    return a * b\n");
const LONG = writes("    total = a\n    total = total + b\n    return total\n");
const SHORT = writes("    return a + b\n");

const read = (workspace: string) => readFileSync(join(workspace, "add.py"), "utf8");

describe("best of several", () => {
  it("makes attempts side by side, and delivers the one that passed with the fewest changes", async () => {
    const t = await openGoalDock(FILES);
    let [running, atOnce] = [0, 0];
    const result = await t.run([WRONG, LONG, SHORT], {
      plan: PLAN,
      bestOf: 3,
      onEvent({ type }) {
        if (type === "attempt.started") atOnce = Math.max(atOnce, ++running);
        if (type === "attempt.finished") running--;
      },
    });
    expect(result).toMatchObject({
      verdict: "passed",
      delivery: "applied",
      costPerVerifiedUsd: 0,
      usage: { calls: 3 },
    });
    expect(atOnce).toBeGreaterThan(1);
    expect(read(t.workspace)).toBe(SHORT.writes[0]?.content);
    const verdicts = t
      .data("task.verified")
      .map(({ verdict }) => verdict)
      .sort();
    expect(verdicts).toEqual(["failed", "passed", "passed"]);
    const [done] = t.data("task.done");
    const taken = t.data("attempt.finished").find(({ attempt }) => attempt === (done?.judged ?? done?.attempts));
    expect(taken?.treeHash).toBe(result.treeHash);
    expect(await t.dock.runs.replay(result.runId)).toMatchObject({ ok: true, divergences: [] });
  });

  it("tells each attempt what was wrong with it where none passed", async () => {
    const t = await openGoalDock(FILES);
    const other = writes("    return b - a\n");
    const rework = { when: { step: "rework" }, ...SHORT };
    const result = await t.run([WRONG, other, rework, { ...rework, ...LONG }], { plan: PLAN, bestOf: 2 });
    expect(result.verdict).toBe("passed");
    expect(read(t.workspace)).toBe(SHORT.writes[0]?.content);
    const requests = t.data("rework.requested");
    expect(requests.map(({ attempt }) => attempt).sort()).toEqual([1, 2]);
    expect(requests.map(({ request }) => Object(request).attemptsLeft)).toEqual([1, 1]);
    expect(
      t
        .data("attempt.finished")
        .map(({ attempt }) => attempt)
        .sort(),
    ).toEqual([1, 2, 3, 4]);
  });

  it("lets what passed count where another attempt gets no answer", async () => {
    const t = await openGoalDock(FILES);
    const result = await t.run([SHORT], { plan: PLAN, bestOf: 2 });
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(t.data("attempt.finished")).toContainEqual(
      expect.objectContaining({ failure: expect.objectContaining({ code: "model_failed" }) }),
    );
  });

  it("lets what passed count where the budget is used up by then", async () => {
    const t = await openGoalDock(FILES);
    const { usage } = await t.run([SHORT], { plan: PLAN, apply: "never" });
    const tokens = Math.round((usage.inputTokens + usage.outputTokens) * 1.5);
    const result = await t.run([SHORT, LONG], { plan: PLAN, bestOf: 2, budget: { tokens } });
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied", usage: { calls: 1 } });
    expect(t.data("model.failed")).toMatchObject([{ error: { code: "limit.budget" } }]);
  });

  it.each([
    ["none", 0],
    ["a part", 1.5],
    ["too many", 17],
  ])("refuses %s of them", async (_name, bestOf) => {
    const t = await openGoalDock(FILES);
    const run = t.run([SHORT], { plan: PLAN, bestOf });
    await expect(run).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("refuses them for repair, which compares all that it finds", async () => {
    const t = await openGoalDock(FILES);
    const run = t.dock.goals.run({ goal: "x", workspace: t.workspace, model: "repair", bestOf: 2 });
    await expect(run).rejects.toMatchObject({ code: "input.invalid" });
    expect(existsSync(join(t.workspace, "add.py"))).toBe(true);
  });
});
