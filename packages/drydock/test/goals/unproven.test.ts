import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

const FILES = { "add.py": "def add(a, b):\n    return a - b\n" };
const FIXED = "def add(a, b):\n    return a + b\n";
const CHECK = { type: "file_exists", path: "add.py" };
const plan = { goal: "mend add", tasks: [{ id: "fix", scope: ["add.py"], checks: [CHECK], attempts: 3 }] };
const CHANGES = { when: { step: "work" }, writes: [{ path: "add.py", content: FIXED }] };
const NOTHING = { when: { step: "rework" }, text: "It is done.", repeat: "always" };

describe("a change that no check proves", () => {
  it("is not lost where later attempts change nothing, and a person can still have it", async () => {
    const t = await openGoalDock(FILES);
    const { runId, verdict, reason } = await t.run([CHANGES, NOTHING], { plan });
    expect(verdict).toBe("unproven");
    expect(reason).toContain("Every check passes without the change as well");
    expect(await t.dock.runs.diff(runId)).toContain("+    return a + b");
    const request = t.data("model.asked").find(({ step }) => step === "rework");
    const prompt = Buffer.from(await t.dock.runs.readArtifact(String(request?.prompt))).toString();
    expect(prompt).toContain("- proof (unproven): Every check passes without the change as well");
    expect(prompt).not.toMatch(/drydock run|^\{\}$/m);
    const junit = await t.dock.runs.report(runId, { format: "junit" });
    expect(junit.match(/<testcase name="[^"]*"/g)).toEqual([
      '<testcase name="file_exists: add.py"',
      '<testcase name="verdict"',
    ]);
    expect(t.data("task.done")).toMatchObject([{ attempts: 3, judged: 1, code: "unproven" }]);
    const reply = await t.dock.runs.apply(runId, { allowUnproven: true });
    expect(reply.notes).toEqual([
      "unproven: Every check passes without the change as well, so none of them proves it. (you allowed it)",
    ]);
    expect(readFileSync(join(t.workspace, "add.py"), "utf8")).toBe(FIXED);
    await expect(t.dock.runs.apply(runId, { branch: "other" })).rejects.toMatchObject({
      code: "delivery.conflict",
      message: expect.stringContaining("and not to the branch other"),
    });
  });

  it("of nothing is not delivered, and no receipt says so", async () => {
    const t = await openGoalDock(FILES);
    const { runId, verdict } = await t.run([{ ...NOTHING, when: {} }], { plan });
    expect(verdict).toBe("unproven");
    expect(await t.dock.runs.apply(runId, { allowUnproven: true })).toMatchObject({ outcome: "nothing", notes: [] });
    expect((await t.dock.runs.events(runId)).some(({ type }) => type === "layer.applied")).toBe(false);
  });
});

it("a verdict that rests on a person's word says so in its reason, its page and its receipt", async () => {
  const t = await openGoalDock(FILES);
  const checks = [{ type: "file_exists", path: "add.py", sufficient: true }] as const;
  const { runId, verdict, reason } = await t.run([CHANGES], { plan, checks });
  expect(verdict).toBe("passed");
  expect(reason).toContain('"file_exists" passes with and without the change, and a person declared it sufficient.');
  const page = await t.dock.runs.report(runId);
  expect(page).toContain("also passes without the change; a person declared it sufficient");
  expect(page).toContain("and a person declared it sufficient.");
  const { text } = await t.dock.runs.receipt(runId);
  const [line = ""] = text.trim().split("\n").slice(-1);
  const { predicate } = JSON.parse(Buffer.from(JSON.parse(line).payload, "base64").toString());
  expect(predicate.properties).toContain("DRYDOCK_DECLARED_SUFFICIENT");
});

it("whoever watches is told what runs: on the untouched tree, on the result, and the controls", async () => {
  const t = await openGoalDock({
    ...FILES,
    // Slow until it is changed: that run begins beside the model, and is told where the verdict has to wait for it.
    "add.py": `import time\n\ntime.sleep(2)\n\n${FILES["add.py"]}`,
    "test_add.py": "from add import add\n\ndef test_add():\n    assert add(2, 3) == 5\n",
  });
  const phases: string[] = [];
  const checks = [{ type: "command", cmd: "python3 -m pytest -q" }];
  const { verdict } = await t.run([CHANGES], {
    plan: { ...plan, tasks: [{ ...plan.tasks[0], checks }] },
    onProgress: (progress) => progress.kind === "phase" && phases.push(`${progress.task} ${progress.phase}`),
  });
  expect(verdict).toBe("passed");
  expect(phases.slice(0, 2)).toEqual(["fix untouched", "fix result"]);
  expect(new Set(phases.slice(2))).toEqual(new Set(["fix control"]));
});
