import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FIXED, PLAN, PLANS, TASK, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const place = useGoalPlace();
const WRONG = { writes: [{ path: "calc.py", content: "def add(a, b):\n    return a * b\n" }] };
const FIXES = { when: { step: "work" }, writes: [{ path: "calc.py", content: FIXED }] };

it("drydock run --follow goes on from the result of an ended run, and both runs name each other", async () => {
  const workspace = await place.workspace();
  const plan = await place.write("plan.json", { ...PLAN, tasks: [{ ...TASK, attempts: 1 }] });
  const first = await runCli("run", "--plan", plan, ...(await place.work(workspace, [WRONG])));
  expect(first.status).toBe(1);
  const followed = (await runJson("runs", "show", "last")).value as { id: string };
  const work = await place.work(workspace, [PLANS, FIXES]);
  const second = await runCli("run", "--follow", "last", "Add, do not multiply", ...work);
  expect(second.stderr).toContain(`run: follows ${followed.id}, from its changes, which were not delivered\n`);
  expect(second.stdout).toMatch(/^\nPASSED Add, do not multiply\n/);
  expect(second.status).toBe(0);
  expect(await readFile(join(workspace, "calc.py"), "utf8")).toBe(FIXED);
  const { id } = (await runJson("runs", "show", "last")).value as { id: string };
  expect((await runCli("runs", "show", id)).stdout).toMatch(new RegExp(`^follows +${followed.id}$`, "m"));
  expect((await runCli("runs", "show", followed.id)).stdout).toMatch(new RegExp(`^followed by +${id}$`, "m"));
});

it("drydock run --follow without a goal has the goal of the run that it follows", async () => {
  const workspace = await place.workspace();
  const plan = await place.write("plan.json", { ...PLAN, goal: "Make add() add", tasks: [{ ...TASK, attempts: 1 }] });
  await runCli("run", "--plan", plan, ...(await place.work(workspace, [WRONG])));
  // The newest run is none that could be followed: `last` is the newest goal here.
  await runCli("exec", "-c", "1");
  const second = await runCli("run", "--follow", "last", ...(await place.work(workspace, [PLANS, FIXES])));
  expect(second).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\nPASSED Make add\(\) add\n/) });
});

it("drydock run refuses what can't be followed, and a goal that is given twice", async () => {
  const workspace = await place.workspace();
  const run = async (...argv: string[]) => runCli("run", ...argv, ...(await place.work(workspace, [])));
  expect(await run("--follow", "01ab", "more")).toMatchObject({ status: 2, stderr: expect.stringContaining("no run") });
  await runCli("exec", "-c", "1");
  const { id } = (await runJson("runs", "show", "last")).value as { id: string };
  const exec = await run("--follow", id, "more");
  expect([exec.status, exec.stderr]).toEqual([2, expect.stringContaining("can't be followed: it is of the kind exec")]);
  expect((await run("--goal", "one", "two")).stderr).toContain("The goal is given twice.");
  expect((await run()).stderr).toContain("There is neither a goal nor a plan.");
  const resumed = await runCli("run", "--resume", "last", "--follow", "last");
  expect(resumed.stderr).toContain("--follow can't be given with --resume.");
});
