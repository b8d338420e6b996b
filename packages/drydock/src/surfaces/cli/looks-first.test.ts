import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIXES, PLAN, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const place = useGoalPlace();

async function planned(): Promise<string[]> {
  const plan = await place.write("plan.json", PLAN);
  return ["run", "--plan", plan, ...(await place.work(await place.workspace(), [FIXES]))];
}

async function countRuns(): Promise<number> {
  return ((await runJson("runs", "list")).value.runs as unknown[]).length;
}

describe("what can't end well", () => {
  it("is refused before anything runs: a branch without git, a file in no directory, a glob that names everything", async () => {
    const before = await countRuns();
    const branch = await runCli(...(await planned()), "--branch", "fix");
    expect([branch.status, branch.stderr]).toEqual([1, expect.stringContaining("it is not a git working tree")]);
    const everything = await runCli(...(await planned()), "--may-change", "**");
    expect([everything.status, everything.stderr]).toEqual([
      2,
      expect.stringContaining("names everything, and so no test"),
    ]);
    const checks = await place.write("checks.json", { checks: ["true"] });
    const verify = ["verify", "--checks", checks, "--workspace", await place.workspace(), "--out"];
    for (const command of [verify, ["plan", "--goal", "x", "--out"]]) {
      const { status, stderr } = await runCli(...command, "/nosuch/x");
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining("/nosuch/x can't be written: there is no directory /nosuch."),
      ]);
    }
    expect(await countRuns()).toBe(before);
  });

  it("warns of a glob that matches nothing", async () => {
    const { stderr } = await runCli(...(await planned()), "--may-change", "test/**", "--may-change", "calc.py");
    const warnings = stderr.replace(/^(?:run|fix): .*\n/gm, "");
    expect(warnings).toBe("warning: --may-change test/** matches nothing in the workspace.\n");
  });
});

describe("a path that is wrong", () => {
  it.each([
    [["exec", "--workspace", "/nosuch", "-c", "1"], "The directory /nosuch can't be used: it does not exist."],
    [["receipt", "verify", "/nosuch"], "/nosuch can't be read: it does not exist."],
    [["receipt", "verify", "/"], "/ can't be read: it is a directory."],
    [["receipt", "verify", "/dev/null", "--key", "1234"], "1234 is neither a file nor 64 hexadecimal digits."],
    [["audit", "verify", "--expect", "/nosuch"], "/nosuch is neither a file nor 64 hexadecimal digits."],
  ])("is told in words: %j", async (words, message) => {
    const { status, stderr } = await runCli(...words);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it("names the option by which it was given", async () => {
    const { stderr } = await runCli("audit", "anchor", "--file", "/nosuch/x");
    expect(stderr).toContain("/nosuch/x can't be written: there is no directory /nosuch.");
    expect(stderr).toContain("--file");
  });
});

it("an anchor that was changed is found out as changed, wherever the change is; an empty receipt is empty", async () => {
  const heads = join(home(), "heads.jsonl");
  await runCli("audit", "anchor", "--file", heads);
  const { stdout: line } = await runCli("audit", "anchor");
  const at = line.indexOf('"payload":"') + 20;
  for (const text of [
    `${line.slice(0, at)}${line[at] === "A" ? "B" : "A"}${line.slice(at + 1)}`,
    line.replace('"signatures"', '"signaturez"'),
    line.slice(0, -20),
  ]) {
    await writeFile(heads, text);
    const { status, stdout } = await runCli("audit", "verify", "--expect", heads);
    expect([status, stdout]).toEqual([1, expect.stringContaining("the anchor was changed")]);
  }
  await writeFile(heads, "");
  expect((await runCli("receipt", "verify", heads)).stdout).toContain("The file is empty.");
});

describe("checks that can't be judged", () => {
  it("are told as what they are: only `unchanged`, a report that nobody wrote, a report outside", async () => {
    const workspace = await place.workspace();
    const policy = await place.write("policy.json", {});
    const verify = async (checks: unknown) =>
      runCli(
        "verify",
        "--workspace",
        workspace,
        "--policy",
        policy,
        "--checks",
        await place.write("c.json", { checks }),
      );
    const silent = await verify([{ type: "command", cmd: "true", junit: "out/report.xml" }]);
    expect([silent.status, silent.stdout]).toEqual([
      1,
      expect.stringContaining("wrote no complete JUnit XML to out/report.xml"),
    ]);
    const outside = await verify([{ type: "command", cmd: "true", junit: "../x.xml" }]);
    expect(outside.stdout).toContain('refused: The glob "../x.xml" holds a . or .. segment.');
    await mkdir(join(workspace, ".drydock"));
    await writeFile(join(workspace, ".drydock", "checks.yaml"), "checks: [{ type: unchanged, paths: [calc.py] }]\n");
    const still = await runCli("verify", "--workspace", workspace);
    expect([still.status, still.stderr]).toEqual([
      2,
      expect.stringContaining("all its checks are `unchanged`, which compares with the start of a goal."),
    ]);
  });
});
