import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

const FILES = {
  "add.py": "def add(a, b):\n    return a - b\n",
  "test_add.py": "from add import add\n\nassert add(2, 3) == 5\n",
};
const FIXED = "def add(a, b):\n    return a + b\n";
const CHECK = { type: "command", cmd: "python test_add.py" };
const plan = (goal: string, extra: object = {}) => ({
  goal,
  tasks: [{ id: "fix", title: goal, scope: ["**"], checks: [CHECK], attempts: 1, ...extra }],
});
const write = (files: Record<string, string>) => ({
  when: { step: "work" },
  writes: Object.entries(files).map(([path, content]) => ({ path, content })),
});
const planned = (goal: string, extra: object = {}) => ({ when: { step: "plan" }, json: plan(goal, extra) });
const read = (t: GoalDock, path: string) => readFileSync(join(t.workspace, path), "utf8");

async function readPrompt(t: GoalDock, runId: string, step: string): Promise<string> {
  const request = (await t.dock.runs.events(runId)).find(
    ({ type, data }) => type === "model.asked" && data.step === step,
  );
  return Buffer.from(await t.dock.runs.readArtifact(String(request?.data.prompt))).toString();
}

describe("a run that follows another", () => {
  it("starts from what was not delivered, and delivers both changes at once", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add"), apply: "never" });
    expect(first).toMatchObject({ verdict: "passed", delivery: "kept" });
    const answers = [planned("Also sub"), write({ "sub.py": "def sub(a, b):\n    return a - b\n" })];
    const second = await t.run(answers, { goal: "Now also write sub()", follow: first.runId });
    expect(second).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect([read(t, "add.py"), existsSync(join(t.workspace, "sub.py"))]).toEqual([FIXED, true]);
    for (const step of ["plan", "work"]) {
      const prompt = await readPrompt(t, second.runId, step);
      for (const reply of ["Its goal: Mend add", "Its verdict: passed", "- changed: add.py", "+    return a + b"]) {
        expect(prompt).toContain(reply);
      }
    }
    const [shown, followed] = [await t.dock.runs.findings(second.runId), await t.dock.runs.findings(first.runId)];
    expect([shown.follows, shown.followedBy]).toEqual([first.runId, []]);
    expect([followed.follows, followed.followedBy]).toEqual([null, [second.runId]]);
    expect(await t.dock.runs.report(second.runId)).toContain(`<code>${first.runId}</code>`);
    expect(readFileSync(join(t.home, "runs", second.runId, "followed.md"), "utf8")).toContain("Its goal: Mend add");
    expect((await t.dock.audit.verify()).ok).toBe(true);
    // The result of the first run is part of the second one's evidence.
    expect(await t.dock.runs.replay(second.runId)).toMatchObject({ ok: true, verdict: "passed", divergences: [] });
    expect((await t.dock.runs.findings(first.runId)).followedBy).toEqual([second.runId]);
  });

  it("starts from the workspace as it is where the result was delivered, with what people changed since", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add") });
    expect(first.delivery).toBe("applied");
    writeFiles(t.workspace, { "add.py": `# mine\n${FIXED}` });
    const double = { checks: [{ type: "file_contains", path: "add.py", needle: "def double" }] };
    const more = `# mine\n${FIXED}\ndef double(a):\n    return add(a, a)\n`;
    const second = await t.run([write({ "add.py": more })], { plan: plan("Also double", double), follow: first.runId });
    expect(second).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(t.data("run.followed")).toMatchObject([{ run: first.runId, layer: null }]);
    expect(await readPrompt(t, second.runId, "work")).toContain("Its changes were delivered");
  });

  it("goes on from the attempt of a run that failed", async () => {
    const t = await openGoalDock(FILES);
    const half = "def add(a, b):\n    return a * b\n";
    const first = await t.run([write({ "add.py": half, "notes.txt": "half done\n" })], { plan: plan("Mend add") });
    expect(first).toMatchObject({ verdict: "failed", delivery: "nothing" });
    const second = await t.run([write({ "add.py": FIXED })], { plan: plan("Rather add them"), follow: first.runId });
    expect(second).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect([read(t, "add.py"), read(t, "notes.txt")]).toEqual([FIXED, "half done\n"]);
    const prompt = await readPrompt(t, second.runId, "work");
    expect(prompt).toContain("Its verdict: failed");
    expect(prompt).toContain("- command: python test_add.py: failed");
  });

  it("is told of all goals before it, and works on the sum of what they left", async () => {
    const t = await openGoalDock(FILES);
    const keep = { apply: "never" as const };
    const first = await t.run([write({ "a.txt": "1\n" })], { plan: plan("First"), ...keep });
    // Its planner fails, so that it leaves just what it took over.
    const second = await t.run([], { goal: "Second", follow: first.runId, ...keep });
    expect(second).toMatchObject({ verdict: "unverified", status: "failed" });
    const third = await t.run([write({ "add.py": FIXED })], { plan: plan("Third"), follow: second.runId });
    expect(third).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(read(t, "a.txt")).toBe("1\n");
    expect(await readPrompt(t, third.runId, "work")).toContain("An earlier goal: First\nIts goal: Second");
  });

  it("works with several tasks side by side, and with a task that is done again from an old run", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add"), apply: "never" });
    const task = (id: string) => ({ id, scope: [`${id}.txt`], checks: [{ type: "file_exists", path: `${id}.txt` }] });
    const both = { goal: "Both", tasks: [task("x"), task("y")] };
    const answers = ["x", "y"].map((id) => ({
      when: { task: id },
      writes: [{ path: `${id}.txt`, content: `${id}\n` }],
    }));
    const second = await t.run(answers, { plan: both, follow: first.runId, apply: "never", checks: [CHECK.cmd] });
    expect(second.verdict).toBe("passed");
    expect(await t.dock.runs.diff(second.runId)).toMatch(/add\.py[\s\S]*x\.txt[\s\S]*y\.txt/);
    const model = t.writeScript([{ when: { task: "y" }, writes: [{ path: "y.txt", content: "again\n" }] }]);
    const again = await t.dock.goals.runFrom(second.runId, "y", { model, apply: "auto" });
    expect(again).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect([read(t, "add.py"), read(t, "x.txt"), read(t, "y.txt")]).toEqual([FIXED, "x\n", "again\n"]);
  });

  it("starts without changes that a person discarded, and knows of them", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "add.py": FIXED, "odd.txt": "odd\n" })], {
      plan: plan("Mend add"),
      apply: "never",
    });
    await t.dock.runs.discard(first.runId);
    const second = await t.run([write({ "add.py": FIXED })], { plan: plan("Without odd.txt"), follow: first.runId });
    expect(second).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(existsSync(join(t.workspace, "odd.txt"))).toBe(false);
    expect(await readPrompt(t, second.runId, "work")).toMatch(/A person discarded its changes[\s\S]*- added: odd\.txt/);
  });

  it("tells its models no secret of the other run, and not more than a bounded part of its diff", async () => {
    const t = await openGoalDock(FILES);
    const secret = `ghp_${"0123456789abcdefghijABCDEFGHIJ012345"}`;
    const large = `TOKEN = "${secret}"\n${"# a long comment\n".repeat(4000)}`;
    const first = await t.run([write({ "add.py": FIXED, "a.py": large })], { plan: plan("Mend add"), apply: "never" });
    const second = await t.run([write({ "b.txt": "b\n" })], {
      plan: plan("Go on"),
      follow: first.runId,
      apply: "never",
    });
    const account = readFileSync(join(t.home, "runs", second.runId, "followed.md"), "utf8");
    expect(account.length).toBeLessThan(20_000);
    expect(account).toContain("TOKEN");
    expect(account).not.toContain(secret);
  });
});

describe("a false change that is split over two runs", () => {
  const WEAK = "from add import add\n\nassert add(2, 3) != 5\n";

  it.each(["failed", "kept"] as const)("does not pass by a test that the first one weakened (%s)", async (how) => {
    const t = await openGoalDock(FILES);
    // A person let the first run change the test, or nobody did and it failed: neither counts for the second.
    const options = how === "kept" ? { mayChange: ["test_add.py"], apply: "never" as const } : {};
    const first = await t.run([write({ "test_add.py": WEAK, "add.py": FILES["add.py"] })], {
      plan: plan("Weaken"),
      ...options,
    });
    // The check that the second change proves itself by is honest, and the weak test holds.
    const checks = [{ type: "file_exists", path: "other.txt" }, CHECK];
    const second = await t.run([write({ "other.txt": "x\n" })], {
      plan: plan("Go on", { checks }),
      follow: first.runId,
    });
    expect(second).toMatchObject({ verdict: "failed", delivery: "nothing" });
    expect(second.reason + JSON.stringify(t.data("check.finished"))).toContain("test_add.py was changed");
    expect([read(t, "add.py"), read(t, "test_add.py")]).toEqual([FILES["add.py"], FILES["test_add.py"]]);
  });

  it("does not pass by a required check's test that the first one weakened", async () => {
    const t = await openGoalDock(FILES);
    const exists = { checks: [{ type: "file_exists", path: "other.txt" }] };
    const first = await t.run([write({ "test_add.py": WEAK })], { plan: plan("Weaken", exists), apply: "never" });
    const second = await t.run([write({ "other.txt": "x\n" })], {
      plan: plan("Go on", exists),
      follow: first.runId,
      checks: [CHECK.cmd],
    });
    expect(second).toMatchObject({ verdict: "failed", delivery: "nothing" });
  });

  it("is not proved by what the first one proved, where the second changes nothing", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add"), apply: "never" });
    const second = await t.run([{ when: { step: "work" }, text: "It is done." }], {
      plan: plan("Also sub"),
      follow: first.runId,
    });
    expect(second).toMatchObject({ verdict: "unproven", delivery: "nothing" });
    expect(second.reason).toContain("This run did not change what the followed run left");
  });

  it("passes once the test is as it was, and the change is honest", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "test_add.py": WEAK })], { plan: plan("Weaken") });
    expect(first.verdict).toBe("failed");
    const mended = write({ "test_add.py": FILES["test_add.py"], "add.py": FIXED });
    const second = await t.run([mended], { plan: plan("Mend it"), follow: first.runId });
    expect(second).toMatchObject({ verdict: "passed", delivery: "applied" });
  });
});

describe("what can't be followed", () => {
  it("is refused with a reason, before a run is on record", async () => {
    const t = await openGoalDock(FILES);
    const { runId: execId } = await t.dock.exec({ code: "1" });
    const other = await openGoalDock(FILES);
    const { runId } = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add"), apply: "never" });
    // The check takes longer than the request needs to be read.
    const slow = { type: "command", cmd: "python -c 'import time; time.sleep(2)'" };
    const paused = await t.run([write({ "add.py": FIXED })], {
      plan: plan("Paused", { checks: [slow, CHECK] }),
      onEvent: ({ type, runId }) => void (type === "attempt.started" && t.dock.goals.pause(runId)),
    });
    expect(paused.status).toBe("paused");
    const count = (await t.dock.runs.list()).runs.length;
    const follow = (id: string, workspace = t.workspace) =>
      t.dock.goals.run({ goal: "more", workspace, follow: id, model: t.writeScript([]) });
    await expect(follow(execId)).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("of the kind exec"),
    });
    await expect(follow(runId, other.workspace)).rejects.toMatchObject({
      code: "input.invalid",
      hint: expect.stringContaining(`--workspace ${t.workspace}`),
    });
    await expect(follow(paused.runId)).rejects.toMatchObject({
      hint: expect.stringContaining(`--resume ${paused.runId}`),
    });
    await t.dock.goals.cancel(paused.runId);
    expect((await t.dock.runs.list()).runs).toHaveLength(count);
    await t.dock.prune({ before: new Date(Date.now() + 1000) });
    await expect(follow(runId)).rejects.toMatchObject({
      code: "run.not_found",
      hint: expect.stringContaining("drydock prune"),
    });
  });

  it("is a result that no longer fits to the workspace, and the run says where", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add"), apply: "never" });
    writeFileSync(join(t.workspace, "add.py"), "def add(a, b):\n    return 5\n");
    const second = await t.run([], { plan: plan("Go on"), follow: first.runId });
    expect(second).toMatchObject({ status: "failed", error: { code: "delivery.conflict", conflicts: ["add.py"] } });
    expect(second.error?.hint).toContain(`drydock runs discard ${first.runId}`);
  });

  it("is a result that the policy of the new run does not allow", async () => {
    const t = await openGoalDock(FILES);
    const first = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add"), apply: "never" });
    const second = await t.run([], {
      plan: plan("Go on"),
      follow: first.runId,
      policy: { files: { protect: ["add.py"] } },
    });
    expect(second).toMatchObject({ status: "failed", error: { code: "policy.path_denied", paths: ["add.py"] } });
  });
});

it("a run that follows another holds all that it took over, whatever becomes of that one", async () => {
  const t = await openGoalDock(FILES);
  const first = await t.run([write({ "add.py": FIXED })], { plan: plan("Mend add"), apply: "never" });
  const between = new Date();
  const { runId } = await t.run([write({ "b.txt": "b\n" })], {
    plan: plan("Go on"),
    follow: first.runId,
    apply: "never",
  });
  expect((await t.dock.prune({ before: between })).runs).toBe(1);
  expect(await t.dock.runs.replay(runId)).toMatchObject({ ok: true, verdict: "passed" });
  expect((await t.dock.runs.findings(runId)).follows).toBe(first.runId);
  await t.dock.runs.apply(runId);
  expect(read(t, "add.py")).toBe(FIXED);
});

it("the receipt of a run that follows another is executed again in another home", async () => {
  const t = await openGoalDock(FILES);
  const exists = (path: string) => plan(path, { checks: [{ type: "file_exists", path }] });
  const first = await t.run([write({ "a.txt": "a\n" })], { plan: exists("a.txt"), apply: "never" });
  const { runId } = await t.run([write({ "b.txt": "b\n" })], { plan: exists("b.txt"), follow: first.runId });
  const { text } = await t.dock.runs.receipt(runId, { withRecord: true });
  const other = await openGoalDock({});
  const replay = await other.dock.runs.replayReceipt(Buffer.from(text));
  expect(replay).toMatchObject({ ok: true, verdict: "passed", divergences: [] });
});
