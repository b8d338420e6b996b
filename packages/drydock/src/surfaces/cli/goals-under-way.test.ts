import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BROKEN, FIXES, PLAN, readTree, TASK, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson, spawnCli } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const place = useGoalPlace();

describe("a run under way", () => {
  const waits = { ...TASK, checks: [{ type: "command", cmd: "python3 -c 'import time; time.sleep(60)'" }] };
  const waitingPlan = { when: { step: "plan" }, json: { ...PLAN, tasks: [waits] } };
  const start = async (workspace: string) =>
    spawnCli(home(), ["run", "--goal", "Wait", ...(await place.work(workspace, [waitingPlan, FIXES])), "--json"]);
  const runIdOf = (stdout: string) => String((JSON.parse(stdout.split("\n")[0] ?? "") as { runId: unknown }).runId);

  it("is cancelled by one Ctrl-C, in order", async () => {
    const workspace = await place.workspace();
    const cli = await start(workspace);
    await cli.printed("attempt.finished");
    cli.process.kill("SIGINT");
    const { status, stdout } = await cli.finished;
    expect(status).toBe(130);
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      status: "cancelled",
      verdict: "unverified",
      error: { code: "run.cancelled" },
    });
    expect(await readTree(workspace)).toEqual({ "calc.py": BROKEN });
  });

  it("is called cancelled, to people and in the report, not unverified", async () => {
    const words = await place.work(await place.workspace(), [waitingPlan, FIXES]);
    const cli = spawnCli(home(), ["run", "--goal", "Wait", ...words]);
    await expect.poll(() => cli.stderr(), { timeout: 30_000 }).toContain("attempt 1 changed");
    cli.process.kill("SIGINT");
    const { status, stdout } = await cli.finished;
    expect(status).toBe(130);
    expect(stdout).toMatch(/^\nCANCELLED Wait\n/);
    expect(stdout).not.toContain("UNVERIFIED");
    const [runId = ""] = /run_\w+/.exec(stdout) ?? [];
    const report = join(home(), "cancelled.html");
    expect((await runCli("runs", "report", runId, "--out", report)).status).toBe(0);
    expect(await readFile(report, "utf8")).toContain("<strong>cancelled</strong>");
  });

  it("is found by the commands that pause, retry and cancel it, and goes on after a kill", async () => {
    const workspace = await place.workspace();
    const cli = await start(workspace);
    await cli.printed("attempt.finished");
    const runId = runIdOf(cli.stdout());
    expect((await runJson("runs", "pause", runId)).value).toEqual({ runId, status: "running", asked: "pause" });
    cli.process.kill("SIGKILL");
    await cli.finished;
    const { stdout } = await runCli("task", "list", "--workspace", workspace, "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ id: "fix", status: "doing", runId, source: "plan" }]);
    expect((await runJson("runs", "retry", runId, "--task", "nope")).value).toMatchObject({
      error: { code: "input.invalid", hint: "Its tasks are: fix." },
    });
    expect((await runCli("runs", "retry", runId, "--task", "fix")).stdout).toContain(`drydock run --resume ${runId}`);
    // The pause that nobody heard is heard now.
    const paused = await runCli("run", "--resume", runId);
    expect(paused).toMatchObject({ status: 1, stdout: expect.stringContaining(`drydock run --resume ${runId}`) });
    expect(paused).toMatchObject({
      stdout: expect.stringContaining(" PAUSED "),
      stderr: expect.stringContaining("fix: reset: "),
    });
    expect((await runJson("runs", "cancel", runId)).value).toMatchObject({ runId, status: "cancelled" });
    expect((await runJson("runs", "pause", runId)).status).toBe(2);
  });
});
