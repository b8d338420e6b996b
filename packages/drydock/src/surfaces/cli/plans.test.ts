import { describe, expect, it } from "vitest";
import { FIXES, TASK, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const place = useGoalPlace();

async function run(plan: unknown) {
  const file = await place.write("plan.yaml", plan);
  return { file, ...(await runCli("run", "--plan", file, ...(await place.work(await place.workspace(), [FIXES])))) };
}

describe("a plan that a person wrote", () => {
  it("may name checks by their command line", async () => {
    const check = `python3 -c 'import calc; assert calc.add(2, 3) == 5'`;
    const { status, stdout } = await run({ goal: "Make add() add", tasks: [{ ...TASK, checks: [check] }] });
    expect(stdout).toContain("PASSED");
    expect(status).toBe(0);
    const workspace = ["--workspace", await place.workspace()];
    expect(await runJson("task", "add", ...workspace, "--id", "fix", "--check", check)).toMatchObject({ status: 0 });
    expect((await runCli("task", "add", ...workspace, "--id", "no", "--check", '{"type":"x"}')).stderr).toContain(
      '"x" is not a check type',
    );
  });

  it("that is not allowed is named with its file, once, and not said to be made again", async () => {
    await runCli("policy", "deny", "command", "curl");
    const checks = [{ type: "command", cmd: "curl https://example.org" }];
    const { status, stdout, stderr, file } = await run({ goal: "x", tasks: [{ ...TASK, checks }] });
    expect(status).toBe(1);
    expect(stdout).not.toContain("it is made again");
    expect(stdout + stderr).toContain(`The plan (${file}) is not valid: task fix, check 0 (command)`);
    expect(stdout + stderr).toContain("curl");
    expect(stdout + stderr).not.toContain("..");
  });

  it("with a misspelt key says what was meant", async () => {
    const { checks, ...rest } = TASK;
    const { status, stderr } = await run({ goal: "x", tasks: [{ ...rest, check: checks }] });
    expect(status).toBe(2);
    expect(stderr).toContain("tasks.0.check: unknown key");
    expect(stderr).toContain("Did you mean checks?");
  });
});
