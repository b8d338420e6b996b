import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";
import { FILES, FIXED, UNITTEST } from "./add-project.ts";

const CHECK = { type: "command", cmd: UNITTEST };
/** It leaves a directory beside the tests, unlike unittest. */
const PYTEST = { type: "command", cmd: "python -m pytest -q" };
const plan = (extra: object = {}) => ({
  goal: "mend add",
  tasks: [{ id: "fix", title: "Mend add", scope: ["add.py"], checks: [CHECK], attempts: 2, ...extra }],
});
const read = (directory: string, path: string) => readFileSync(join(directory, path), "utf8");

describe("a goal", () => {
  it("is planned, worked on, proved and only then delivered", async () => {
    const t = await openGoalDock(FILES);
    let untouched = true;
    const result = await t.run(
      [
        { when: { step: "plan" }, json: plan() },
        { when: { step: "work" }, writes: [{ path: "add.py", content: FIXED }] },
      ],
      {
        goal: "Fix add() so tests pass",
        onEvent: ({ type }) => {
          if (type !== "layer.applied") untouched &&= read(t.workspace, "add.py") === FILES["add.py"];
        },
      },
    );
    expect(result).toMatchObject({
      status: "succeeded",
      verdict: "passed",
      delivery: "applied",
      tasks: { fix: "done" },
    });
    expect(untouched).toBe(true);
    expect(read(t.workspace, "add.py")).toBe(FIXED);
    expect(t.events.at(-1)?.type).toBe("layer.applied");
    expect((await t.dock.audit.verify()).ok).toBe(true);
  });

  it("that is claimed to be reached, and is not, fails and leaves the workspace as it was", async () => {
    const t = await openGoalDock(FILES);
    const lie = { when: { step: "work" }, text: "I fixed it. All tests pass now." };
    const result = await t.run([lie, { ...lie, when: { step: "rework" } }], { plan: plan({ checks: [PYTEST] }) });
    expect(result).toMatchObject({ status: "failed", verdict: "failed", treeHash: null, delivery: "nothing" });
    expect(t.data("task.failed")).toMatchObject([{ code: "same_diff", attempts: 2 }]);
    expect(read(t.workspace, "add.py")).toBe(FILES["add.py"]);
    expect(existsSync(join(t.workspace, ".pytest_cache"))).toBe(false);
  });

  it("is not reached by changing the test, whatever the scope's catch-all says", async () => {
    const t = await openGoalDock(FILES);
    const cheat = {
      writes: [{ path: "test_add.py", content: FILES["test_add.py"].replace(/self\.assert.*/, "pass") }],
    };
    const result = await t.run([cheat, cheat], { plan: plan({ scope: ["**"] }) });
    expect(result.verdict).toBe("failed");
    expect(t.data("check.finished")).toContainEqual(expect.objectContaining({ implied: true, verdict: "failed" }));
    expect(read(t.workspace, "test_add.py")).toBe(FILES["test_add.py"]);
  });

  it("gets a second attempt, which is told what failed and what was tried", async () => {
    const t = await openGoalDock(FILES);
    const result = await t.run(
      [
        { when: { step: "work" }, writes: [{ path: "add.py", content: "def add(a, b):\n    return a * b\n" }] },
        { when: { step: "rework", contains: "return a * b" }, writes: [{ path: "add.py", content: FIXED }] },
      ],
      { plan: plan() },
    );
    expect(result.verdict).toBe("passed");
    const [request] = t.data("rework.requested").map((data) => data.request as { failed: object[]; tried: string });
    expect(request?.failed).toMatchObject([{ type: "command", code: "exit_code" }]);
    expect(request?.tried).toContain("+    return a * b");
  });

  it("is worked on with tools, in a layer that the workspace does not see", async () => {
    const t = await openGoalDock(FILES);
    const result = await t.run(
      [
        {
          toolCalls: [
            { name: "read", arguments: { path: "add.py" } },
            { name: "search", arguments: { text: "return" } },
          ],
        },
        { toolCalls: [{ name: "edit", arguments: { path: "add.py", old: "a - b", new: "a + b" } }] },
        {
          toolCalls: [
            { name: "run", arguments: { cmd: UNITTEST } },
            { name: "list", arguments: {} },
          ],
        },
        {
          toolCalls: [
            { name: "write", arguments: { path: "../outside", content: "x" } },
            { name: "fly", arguments: {} },
          ],
        },
        { text: "Done." },
      ],
      { plan: plan() },
    );
    expect(result.verdict).toBe("passed");
    expect(t.data("tool.finished").map(({ name, failed }) => [name, failed])).toEqual([
      ["read", false],
      ["search", false],
      ["edit", false],
      ["run", false],
      ["list", false],
      ["write", true],
      ["fly", true],
    ]);
    expect(t.data("attempt.finished")).toMatchObject([{ changes: [{ path: "add.py", kind: "changed" }] }]);
  });

  it("worked on by one answer takes nothing that has another shape", async () => {
    const t = await openGoalDock(FILES);
    const json = { summary: "mended", writes: [{ path: "add.py", content: FIXED }] };
    const result = await t.run(
      [
        { when: { step: "work" }, text: "no JSON", repeat: "always" },
        { when: { step: "rework" }, json },
      ],
      {
        plan: plan(),
        way: "writes",
      },
    );
    expect(result.verdict).toBe("passed");
    expect(t.data("attempt.finished")[0]).toMatchObject({ failure: { code: "model_failed" } });
  });

  it("may not write outside its scope, nor to what is hidden or protected", async () => {
    for (const path of ["other.py", ".git/config", ".env", "/etc/passwd", "a/../../b"]) {
      const t = await openGoalDock(FILES);
      const result = await t.run(
        [{ writes: [{ path, content: "x" }] }, { writes: [{ path: "add.py", content: FIXED }] }],
        { plan: plan() },
      );
      expect(result.verdict).toBe("passed");
      expect(t.data("attempt.finished")[0]).toMatchObject({ failure: { code: "path_denied" } });
    }
  });

  it("whose planner sends nonsense is told so, and ends where it goes on", async () => {
    const t = await openGoalDock(FILES);
    const broken = {
      goal: "x",
      tasks: [{ id: "a", dependsOn: ["a"], checks: [{ type: "command", cmd: 'eval "$X"' }] }],
    };
    const good = await t.run(
      [
        { when: { step: "plan" }, json: broken },
        { when: { step: "plan", contains: "was refused" }, json: plan() },
        { when: { step: "work" }, writes: [{ path: "add.py", content: FIXED }] },
      ],
      { goal: "x" },
    );
    expect(good.verdict).toBe("passed");
    expect(t.data("plan.refused")[0]).toMatchObject({ problems: [{ problem: expect.stringMatching(/circle/) }, {}] });
    const bad = await t.run([{ json: broken, repeat: "always" }], { goal: "x" });
    expect(bad).toMatchObject({ status: "failed", verdict: "unverified", error: { code: "plan.invalid" } });
  });

  it("without a model and without tests says what to do", async () => {
    const t = await openGoalDock({ "add.py": FILES["add.py"] });
    const result = await t.dock.goals.run({ goal: "x", workspace: t.workspace });
    expect(result).toMatchObject({ status: "failed", error: { code: "model.unavailable" } });
    expect(result.error?.hint).toMatch(/drydock model add/);
    await expect(t.dock.goals.run({ workspace: t.workspace })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(t.dock.goals.run({ plan: { goal: 1 }, workspace: t.workspace })).rejects.toMatchObject({
      code: "input.invalid",
    });
  });
});
