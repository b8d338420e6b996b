import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDock } from "drydock";
import { describe, expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

const task = (id: string, dependsOn: string[] = [], extra: object = {}) => ({
  id,
  dependsOn,
  scope: ["**"],
  checks: [{ type: "file_exists", path: `${id}.txt` }],
  attempts: 2,
  ...extra,
});
const answer = (id: string, extra: object = {}) => ({
  when: { task: id },
  writes: [{ path: `${id}.txt`, content: id }],
  ...extra,
});

const SLOW = (id: string) => ({
  checks: [
    { type: "command", cmd: "python -c 'import time; time.sleep(2)'" },
    { type: "file_exists", path: `${id}.txt` },
  ],
});

describe("tasks", () => {
  it("that depend on a failed one are cancelled; the others are done", async () => {
    const t = await openGoalDock({ "a.md": "" });
    const plan = { goal: "x", tasks: [task("c", ["b"]), task("b", ["a"]), task("a"), task("d")] };
    const result = await t.run([{ when: { task: "a" }, text: "no", repeat: "always" }, answer("d")], { plan });
    expect(result).toMatchObject({
      verdict: "failed",
      tasks: { a: "failed", b: "cancelled", c: "cancelled", d: "done" },
    });
    expect(t.data("task.cancelled").map((data) => data.task)).toEqual(["b", "c"]);
  });

  it("that changed the same lines side by side are put together, the later one done again on top", async () => {
    const t = await openGoalDock({ "list.txt": "one\n" });
    const checks = (word: string) => ({ checks: [{ type: "file_contains", path: "list.txt", needle: word }] });
    const plan = { goal: "x", tasks: [task("left", [], checks("left")), task("right", [], checks("right"))] };
    const write = (content: string) => [{ path: "list.txt", content }];
    const result = await t.run(
      [
        { when: { task: "left" }, writes: write("one\nleft\n") },
        { when: { task: "right", contains: "changed the same lines" }, writes: write("one\nleft\nright\n") },
        { when: { task: "right" }, writes: write("one\nright\n") },
      ],
      { plan },
    );
    expect(result.verdict).toBe("passed");
    expect(t.data("task.reset")).toMatchObject([{ task: "right", conflict: ["list.txt"] }]);
    expect(readFileSync(join(t.workspace, "list.txt"), "utf8")).toBe("one\nleft\nright\n");
    expect((await t.dock.runs.replay(result.runId)).divergences).toEqual([]);
  });

  it("whose checks another task broke are found out on the whole result", async () => {
    const t = await openGoalDock({ "a.md": "" });
    const plan = { goal: "x", tasks: [task("a"), task("b", ["a"])] };
    const breaks = {
      when: { task: "b" },
      writes: [
        { path: "b.txt", content: "b" },
        { path: "a.txt", delete: true },
      ],
    };
    const result = await t.run([answer("a"), breaks], { plan });
    expect(result).toMatchObject({ verdict: "failed", tasks: { a: "done", b: "done" } });
    expect(result.reason).toMatch(/a\.txt/);
  });

  it("can be paused and taken up again without asking twice", async () => {
    const t = await openGoalDock({ "a.md": "" });
    const plan = { goal: "x", tasks: [task("a"), task("b", ["a"], SLOW("b")), task("c", ["b"])] };
    const paused = await t.run([answer("a"), answer("b"), answer("c")], {
      plan,
      onEvent: ({ type, data, runId }) => {
        if (type === "task.done" && data.task === "a") void t.dock.goals.pause(runId);
      },
    });
    expect(paused).toMatchObject({ status: "paused", verdict: "unverified", delivery: "nothing" });
    expect(t.events.at(-1)?.type).toBe("run.paused");
    expect((await t.dock.goals.resume(paused.runId)).verdict).toBe("passed");
    const events = await t.dock.runs.events(paused.runId);
    const request = events.filter(({ type }) => type === "model.answered").map(({ data }) => data.task);
    expect(request).toEqual(["a", "b", "c"]);
    await expect(t.dock.goals.pause(paused.runId)).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("can be done again while others are under way, with all that depend on them", async () => {
    const t = await openGoalDock({ "a.md": "" });
    const plan = { goal: "x", tasks: [task("a"), task("b", ["a"], SLOW("b"))] };
    let retried = false;
    const result = await t.run([answer("a", { repeat: "always" }), answer("b", { repeat: "always" })], {
      plan,
      onEvent: ({ type, data, runId }) => {
        if (type !== "attempt.finished" || data.task !== "b" || retried) return;
        retried = true;
        void t.dock.goals.retry(runId, "a");
      },
    });
    expect(result.verdict).toBe("passed");
    expect(t.data("task.done").map((data) => data.key)).toEqual(["a", "a~1", "b~1"]);
  });

  it("are cancelled with their run, also from another dock", async () => {
    const t = await openGoalDock({ "a.md": "" });
    const slow = { checks: [{ type: "command", cmd: "python -c 'import time; time.sleep(30)'" }] };
    const other = await createDock({ home: t.home, warm: 0 });
    const result = await t.run([answer("a")], {
      plan: { goal: "x", tasks: [task("a", [], slow)] },
      onEvent: ({ type, runId }) => {
        if (type === "attempt.finished") void other.goals.cancel(runId);
      },
    });
    await other.close();
    expect(result).toMatchObject({ status: "cancelled", error: { code: "run.cancelled" } });
    expect((await t.dock.audit.verify()).ok).toBe(true);
  });

  it("that do not move are stale: the run pauses, or the task begins again where that was asked for", async () => {
    const t = await openGoalDock({ "a.md": "" });
    const plan = { goal: "x", tasks: [task("a", [], SLOW("a"))] };
    const result = await t.run([answer("a", { repeat: "always" })], { plan, staleSeconds: 1 });
    expect(result.status).toBe("paused");
    expect(t.data("task.stale")).toMatchObject([{ task: "a" }]);
    const resumed = await t.dock.goals.resume(result.runId, { staleSeconds: 0 });
    expect(resumed.verdict).toBe("passed");
    t.events.length = 0;
    const reset = await t.run([answer("a", { repeat: "always" })], {
      plan,
      staleSeconds: 1,
      staleAutoReset: true,
      onEvent: ({ type, runId }) => {
        if (type === "task.reset" && t.data("task.reset").length === 2) void t.dock.goals.cancel(runId);
      },
    });
    expect(reset.status).toBe("cancelled");
    expect(t.data("task.reset").length).toBeGreaterThanOrEqual(2);
  });

  it("stop before a budget is exceeded", async () => {
    const t = await openGoalDock({ "a.md": "" });
    const result = await t.run([answer("a")], { plan: { goal: "x", tasks: [task("a")] }, budget: { tokens: 50 } });
    expect(result).toMatchObject({ status: "failed", verdict: "unverified", error: { code: "limit.budget" } });
    expect(t.data("model.answered")).toEqual([]);
  });
});
