import { describe, expect, it } from "vitest";
import { FIXES, PLAN, TASK, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const place = useGoalPlace();
const WEAK = { ...PLAN, tasks: [{ ...TASK, attempts: 1, checks: [{ type: "file_exists", path: "calc.py" }] }] };

async function run(answers: unknown[], ...more: string[]) {
  const plan = await place.write("weak.json", WEAK);
  const workspace = await place.workspace();
  const reply = await runCli("run", "--plan", plan, ...(await place.work(workspace, answers)), ...more);
  return { ...reply, runId: /run_\w+/.exec(reply.stdout + reply.stderr)?.[0] ?? "" };
}

describe("an unproven run on the command line", () => {
  it("offers its change, and says after an undo how to have it again", async () => {
    const { status, stdout, runId } = await run([FIXES]);
    expect(status).toBe(1);
    expect(stdout).toContain(`drydock runs apply ${runId} --allow-unproven`);
    expect((await runCli("runs", "apply", runId, "--allow-unproven")).status).toBe(0);
    const shown = await runCli("runs", "show", runId);
    expect(shown.stdout).toContain("reason     Every check passes without the change as well");
    expect(shown.stdout).toMatch(/\ndelivered {2}\d{4}-/);
    expect(shown.stdout).toContain("✓ fix: file_exists: calc.py — calc.py exists.");
    expect(shown.stdout).toContain("    proves nothing\n");
    expect((await runJson("runs", "show", runId)).value).toMatchObject({
      verdict: "unproven",
      checks: [{ task: "fix", result: { verdict: "passed", proves: false } }],
      deliveries: [{ type: "layer.applied" }],
    });
    const { stdout: undone } = await runCli("runs", "revert", runId);
    expect(undone).toContain(`apply it again: drydock runs apply ${runId} --allow-unproven\n`);
  });

  it("offers nothing where nothing was changed, and applying it fails", async () => {
    const { stdout, runId } = await run([{ text: "Done." }]);
    expect(stdout).toContain("UNPROVEN");
    expect(stdout).not.toContain("runs apply");
    expect(await runCli("runs", "apply", runId, "--allow-unproven")).toMatchObject({
      status: 1,
      stdout: "There is nothing to apply: the run changed no file.\n",
    });
  });

  it("names the write that was refused, where that is why a run failed", async () => {
    const { status, stdout } = await run([{ writes: [{ path: "other.py", content: "x = 1\n" }] }]);
    expect(status).toBe(1);
    const summary = stdout.slice(stdout.indexOf("FAILED"));
    expect(summary).toMatch(/It was not done in 1 attempt\. The last one failed: .*other\.py/);
  });

  it("is told apart from one that passed because a person declared the check sufficient", async () => {
    const { status, stdout } = await run([FIXES], "--check", "true", "--sufficient");
    expect(status).toBe(0);
    expect(stdout).toContain("passed because a person declared it sufficient: command true.");
  });
});
