import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIXES, PLANS, useGoalPlace } from "../../cli/testing/goal-workspace.ts";
import { runCli } from "../../cli/testing/run-cli.ts";
import { useHome } from "../../cli/testing/use-home.ts";

const home = useHome();
const place = useGoalPlace();

describe("--debug", () => {
  it("shows code, where the policy comes from, timings and the sandbox of an execution, on stderr alone", async () => {
    const { status, stdout, stderr } = await runCli("exec", "-c", "print(6 * 7)", "--timeout", "20", "--debug");
    expect(status).toBe(0);
    expect(stdout).toBe("42\n");
    expect(stderr).toMatch(/^debug policy: 1 set, \d+ by the system\n {2}limits\.wallSeconds {2}20 {2}request\n/);
    expect(stderr).toMatch(/debug \+\S+ m?s +run\.created run_\w+/);
    expect(stderr).toContain("  code     print(6 * 7)\n");
    expect(stderr).toMatch(/debug \+\S+ m?s +run\.succeeded/);
    expect(stderr).toMatch(/ {2}sandbox {2}backend namespaces, level \w+; wall .*; around it /);
    expect(stderr).toMatch(/ {2}steps {4}restore signals → .*drop all capabilities → .*filter system calls\n/);
  });

  it("leaves the one JSON value on stdout as it is", async () => {
    const { stdout, stderr } = await runCli("exec", "-c", "1 + 1", "--json", "--debug");
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: 2 });
    expect(stderr).toContain("run.succeeded");
  });

  it("names what the policy refused", async () => {
    const path = join(home(), "commands.yaml");
    writeFileSync(path, "commands: { deny: [curl] }\n");
    const { status, stderr } = await runCli("exec", "--debug", "--policy", path, "--", "curl", "example.org");
    expect(status).toBe(3);
    expect(stderr).toMatch(/run\.failed/);
    expect(stderr).toContain('"code":"policy.command_denied"');
  });

  it("shows no secrets, and nothing that drives the terminal", async () => {
    process.env.DEBUG_TEST_TOKEN = "s3cr3t-value-of-the-token";
    try {
      const code = "print('s3cr3t-value-of-the-token')\nprint('\\x1b]0;title\\x07')";
      const { stderr } = await runCli("exec", "-c", code, "--debug");
      expect(stderr).toContain("[redacted:");
      expect(stderr).not.toContain("s3cr3t-value-of-the-token");
      expect(stderr).toContain("\\x1b]0;title\\x07");
      expect(stderr).not.toContain("\u001b]0;");
    } finally {
      delete process.env.DEBUG_TEST_TOKEN;
    }
  });

  it("shows the checks of a verification as they are on record", async () => {
    const workspace = await place.workspace();
    const checks = await place.write("checks.json", { checks: [{ type: "file_exists", path: "calc.py" }] });
    const { status, stdout, stderr } = await runCli("verify", "--checks", checks, "--workspace", workspace, "--debug");
    expect(status).toBe(0);
    expect(stdout).toContain("passed");
    expect(stderr).toContain("check.finished");
  });

  it("shows the prompts of a goal, each before what came of it", async () => {
    const workspace = await place.workspace();
    const words = await place.work(workspace, [PLANS, FIXES]);
    const { status, stderr } = await runCli("run", "--goal", "Make add() add", ...words, "--debug");
    expect(status).toBe(0);
    expect(stderr).toContain("debug policy: ");
    const order = ["run.created", "model.asked", "  prompt   # system", "model.answered", "run.succeeded"];
    expect(order.map((text) => stderr.indexOf(text)).every((at, index, all) => at > (all[index - 1] ?? -1))).toBe(true);
  });
});
