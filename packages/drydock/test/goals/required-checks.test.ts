import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "drydock";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

/** An exam that a model writes for itself: it holds whatever the change is worth. */
const OWN_EXAM = { type: "file_exists", path: "done.txt" };
const task = (extra: object = {}) => ({ id: "fix", scope: ["add.py", "done.txt"], checks: [OWN_EXAM], ...extra });
const plan = (extra: object = {}) => ({ goal: "mend add", tasks: [task(extra)] });
const pretend = { writes: [{ path: "done.txt", content: "done\n" }] };
const mend = { writes: [...pretend.writes, { path: "add.py", content: FIXED }] };

import { FILES, FIXED, UNITTEST } from "./add-project.ts";

const requestOf = (t: GoalDock) => t.data("run.created")[0]?.request as Record<string, unknown>;
const checksOf = (t: GoalDock) => t.data("check.finished") as unknown as CheckResult[];
const setHomePolicy = (t: GoalDock, text: string) => {
  mkdirSync(t.home, { recursive: true });
  writeFileSync(join(t.home, "policy.yaml"), text);
};

describe("a check that the user gives", () => {
  it("decides, whatever exam the planner wrote for itself", async () => {
    const t = await openGoalDock(FILES);
    const planned = { when: { step: "plan", contains: UNITTEST }, json: plan({ attempts: 1 }) };
    const result = await t.run([planned, pretend], { goal: "mend add", checks: [UNITTEST] });
    expect(result).toMatchObject({ verdict: "failed", delivery: "nothing" });
    expect(checksOf(t).map(({ type, verdict, source }) => [type, verdict, source])).toEqual([
      ["file_exists", "passed", undefined],
      ["command", "failed", "user"],
    ]);
    expect(readFileSync(join(t.workspace, "add.py"), "utf8")).toBe(FILES["add.py"]);
  });

  it("is told to the worker, and what failed of it to the next attempt", async () => {
    const t = await openGoalDock(FILES);
    const result = await t.run(
      [
        { when: { step: "work", contains: UNITTEST }, ...pretend },
        { when: { step: "rework", contains: "AssertionError" }, ...mend },
      ],
      { plan: plan({ attempts: 2 }), checks: [UNITTEST] },
    );
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(t.data("rework.requested")).toMatchObject([
      { request: { failed: [{ type: "command", code: "exit_code" }] } },
    ]);
    const verification = JSON.parse(readFileSync(join(t.home, "runs", result.runId, "verification.json"), "utf8"));
    expect(verification.checks).toMatchObject([{ type: "file_exists" }, { type: "command", source: "user" }]);
    expect(await t.dock.runs.report(result.runId)).toContain("required by the user");
  });

  it("is made once where the plan repeats it, and stays the user's", async () => {
    const t = await openGoalDock(FILES);
    const repeated = plan({ checks: [{ type: "command", cmd: UNITTEST, name: "tests" }] });
    expect(await t.run([mend], { plan: repeated, checks: [UNITTEST] })).toMatchObject({ verdict: "passed" });
    expect(checksOf(t)).toMatchObject([{ type: "command", source: "user" }]);
  });

  it("judges the whole result of several tasks, compared with what the run started from", async () => {
    const t = await openGoalDock(FILES);
    const two = (checks: object[]) => ({
      goal: "mend",
      tasks: [task(), { id: "note", scope: ["note.md"], checks }],
    });
    const exam = [{ type: "file_exists", path: "note.md" }];
    const note = { when: { task: "note" }, writes: [{ path: "note.md", content: "x\n" }] };
    const unchanged = { type: "unchanged" as const, paths: ["note.md"] };
    const failed = await t.run([{ when: { task: "fix" }, ...mend }, note], {
      plan: two(exam),
      checks: [UNITTEST, unchanged],
    });
    expect(failed).toMatchObject({ verdict: "failed", delivery: "nothing", tasks: { fix: "done", note: "done" } });
    expect(failed.reason).toMatch(/^On the whole result: the user's check unchanged: .*note\.md/);
    const passed = await t.run([{ when: { task: "fix" }, ...mend }, note], { plan: two(exam), checks: [UNITTEST] });
    expect(passed).toMatchObject({ verdict: "passed", delivery: "applied" });
    const final = checksOf(t).filter((check) => String(Object(check).key).startsWith("final/"));
    expect(final.at(-1)).toMatchObject({ type: "command", source: "user", alsoPassesBefore: false });
  });

  it("guards the tests that it runs, also from a task with other checks", async () => {
    const t = await openGoalDock(FILES);
    const cheat = { writes: [...pretend.writes, { path: "test_add.py", content: "def test_add():\n    pass\n" }] };
    const result = await t.run([cheat], { plan: plan({ scope: ["**"], attempts: 1 }), checks: [UNITTEST] });
    expect(result.verdict).toBe("failed");
    expect(checksOf(t)).toContainEqual(expect.objectContaining({ implied: true, verdict: "failed" }));
  });

  it.each([
    ["nothing", [""], /checks\.0: the command line is empty/],
    ["an unknown type", [{ type: "lint" }], /checks\.0\.type: "lint" is not a check type/],
    ["a command outside the policy", ["curl example.org"], /\(the user's\) can't be run: The command "curl/],
  ])("is refused before anything is done: %s", async (_, checks, message) => {
    const t = await openGoalDock(FILES);
    setHomePolicy(t, "version: 1\ncommands:\n  allow: [python]\n");
    const refused = t.run([mend], { plan: plan(), checks: checks as string[] });
    await expect(refused).rejects.toMatchObject({ code: "input.invalid", message: expect.stringMatching(message) });
    expect(t.events).toEqual([]);
  });
});

describe("checks of the owner and the workspace", () => {
  it("join the user's, each with its source, and are frozen into the request", async () => {
    const t = await openGoalDock(FILES);
    setHomePolicy(t, "version: 1\nchecks:\n  required:\n    - { type: file_exists, path: add.py }\n");
    writeFiles(t.workspace, {
      ".drydock/policy.yaml": "checks: { required: [python -c 'import add'] }\n",
      ".drydock/checks.yaml": `checks:\n  - ${UNITTEST}\n  - { type: file_exists, path: add.py }\n`,
    });
    const result = await t.run([mend], { plan: plan(), checks: ["ls add.py"] });
    expect(result.verdict).toBe("passed");
    expect(checksOf(t).map(({ check, source }) => [check.cmd ?? check.path, source])).toEqual([
      ["done.txt", undefined],
      ["add.py", "owner"],
      ["python -c 'import add'", "workspace"],
      [UNITTEST, "workspace"],
      ["ls add.py", "user"],
    ]);
    expect(requestOf(t).checks).toHaveLength(4);
  });

  it("are those of the start: neither a resumed run nor a replay reads them again", async () => {
    const t = await openGoalDock(FILES);
    setHomePolicy(t, `checks: { required: [${UNITTEST}] }\n`);
    const slow = {
      id: "wait",
      scope: ["x"],
      checks: [{ type: "command", cmd: "python -c 'import time; time.sleep(1)'" }],
    };
    const wait = { when: { task: "wait" }, writes: [{ path: "x", content: "x" }] };
    const first = await t.run([wait, { when: { task: "fix" }, ...mend }], {
      plan: { goal: "mend", tasks: [slow, task({ dependsOn: ["wait"] })] },
      mayChange: ["tests/**"],
      minStrength: 0.5,
      onEvent: ({ type, runId }) => {
        if (type === "attempt.finished") void t.dock.goals.pause(runId);
      },
    });
    expect(first.status).toBe("paused");
    setHomePolicy(t, "checks: { required: [{ type: file_exists, path: nowhere }] }\n");
    const result = await t.dock.goals.resume(first.runId);
    expect(result.verdict).toBe("passed");
    const events = await t.dock.runs.events(first.runId);
    expect(events.filter(({ data }) => data.source === "owner")).toMatchObject([
      { data: { check: { cmd: UNITTEST } } },
    ]);
    const replayed = await t.dock.runs.replay(first.runId);
    expect(replayed).toMatchObject({ ok: true, divergences: [], verdict: "passed" });
    const [created] = await t.dock.runs.events(String(replayed.runId));
    expect(created?.data.request).toMatchObject({
      checks: [{ source: "owner", check: { type: "command", cmd: UNITTEST } }],
      mayChange: ["tests/**"],
      minStrength: 0.5,
    });
  });

  it("that can't be read stop the run, with file and line", async () => {
    const t = await openGoalDock(FILES);
    writeFiles(t.workspace, { ".drydock/checks.yaml": "checks:\n  - { type: lint }\n" });
    await expect(t.run([mend], { plan: plan() })).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringMatching(/\.drydock\/checks\.yaml:2:\d+: checks\.0\.type: "lint" is not a check type/),
    });
  });

  it("can't be changed by a run", async () => {
    const t = await openGoalDock(FILES);
    writeFiles(t.workspace, { ".drydock/checks.yaml": `checks: [${UNITTEST}]\n` });
    const cheat = { writes: [...pretend.writes, { path: ".drydock/checks.yaml", content: "checks: [ls]\n" }] };
    const result = await t.run([cheat], { plan: plan({ scope: ["**"], attempts: 1 }) });
    expect(result.verdict).toBe("failed");
    expect(t.data("attempt.finished")).toMatchObject([{ failure: { code: "path_denied" } }]);
  });
});

describe("`sufficient`", () => {
  const sure = plan({ checks: [{ ...OWN_EXAM, sufficient: true }] });

  it("in a planner's plan sends it back", async () => {
    const t = await openGoalDock(FILES);
    const again = { when: { step: "plan", contains: "only a person may say `sufficient: true`" }, json: plan() };
    const result = await t.run([{ when: { step: "plan" }, json: sure }, again, mend], { goal: "mend add" });
    expect(result.verdict).toBe("passed");
    expect(t.data("plan.refused")).toMatchObject([{ problems: [{ where: "task fix, check 0 (file_exists)" }] }]);
  });

  it("is a person's word in a plan, in a reviewed plan and in a check", async () => {
    const t = await openGoalDock(FILES);
    const checks = [{ type: "command" as const, cmd: UNITTEST, sufficient: true }];
    await t.run([mend], { plan: sure, checks, apply: "never" });
    expect(checksOf(t).map(({ check }) => check.sufficient)).toEqual([true, true]);
    const review = async () => ({ kind: "edited" as const, plan: sure });
    const reviewed = await t.run([{ when: { step: "plan" }, json: plan() }, mend], { goal: "mend", review });
    expect(reviewed.verdict).toBe("passed");
  });
});

describe("the user's word on tests", () => {
  it.each([
    [{ mayChange: ["../x"] }, /"\.\.\/x"/],
    [{ minStrength: 1.5 }, /must be a number from 0 to 1, not 1\.5/],
    [{ minStrength: Number.NaN }, /must be a number from 0 to 1, not NaN/],
  ])("is refused where it makes no sense: %j", async (options, message) => {
    const t = await openGoalDock(FILES);
    const refused = t.run([mend], { plan: plan(), ...options });
    await expect(refused).rejects.toMatchObject({ code: "input.invalid", message: expect.stringMatching(message) });
  });

  it("in a review is said again in a replay", async () => {
    const t = await openGoalDock(FILES);
    const review = async () => ({ kind: "approved" as const });
    const result = await t.run([{ when: { step: "plan" }, json: plan() }, mend], { goal: "mend", review });
    const replayed = await t.dock.runs.replay(result.runId);
    expect(replayed.ok).toBe(true);
    const events = await t.dock.runs.events(String(replayed.runId));
    expect(events.find(({ type }) => type === "plan.accepted")?.data.review).toBe("approved");
  });
});
