import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BROKEN, CHECKS, FIXED, FIXES, PLANS, readTree, TASK, useGoalPlace } from "./testing/goal-workspace.ts";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();
const place = useGoalPlace();

type Line = Record<string, unknown> & { type?: string };

/** The lines of `--json`: events, and what the last line says. */
async function runEvents(...argv: string[]) {
  const { status, stdout } = await runCli(...argv, "--json");
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  return { status, events: lines.slice(0, -1), last: lines.at(-1) as Line };
}

describe("drydock run", () => {
  it("plans, works, proves and delivers, and says all of it", async () => {
    const workspace = await place.workspace();
    const { status, stdout, stderr } = await runCli(
      "run",
      "--goal",
      "Make add() add",
      ...(await place.work(workspace, [PLANS, FIXES])),
    );
    expect(status).toBe(0);
    // Nothing but lines of the log: each says whose it is.
    expect(stderr).toMatch(/^(?:(?:run|fix): .*\n)+$/);
    expect(stderr).toMatch(/^run: run_\w+ Make add\(\) add \(model: script\d+\.json \(scripted\)\)\nrun: planning\n/);
    expect(stderr).toMatch(
      /fix: attempt 1 changed calc\.py\n(?:fix: running .*…\n)*fix: ✓ add adds \(failed before the change\) .*\nfix: ✓ file_exists calc\.py/,
    );
    expect(stdout).toMatch(/^\nPASSED Make add\(\) add\n2 checks pass on the result/);
    expect(stdout).toMatch(/changed:\n +\+1 +-1 +calc\.py\ndelivered: to .*\nundo: +drydock runs revert run_\w+\n/);
    expect(stdout).toMatch(/model: +script\d+\.json \(scripted\), 2 calls, [\d,]+ tokens, \$0\.00\n$/);
    expect(await readFile(join(workspace, "calc.py"), "utf8")).toBe(FIXED);
  });

  it("fails an answer that only claims success, shows the evidence, and leaves the workspace alone", async () => {
    const workspace = await place.workspace();
    const before = await readTree(workspace);
    const says = (step: string, text: string) => ({ when: { step }, text });
    const work = await place.work(workspace, [PLANS, says("work", "All checks pass!"), says("rework", "Done!")]);
    const { status, stdout, stderr } = await runCli("run", "--goal", "Make add() add", ...work);
    expect(status).toBe(1);
    expect(stderr).toMatch(/fix: model: “All checks pass!”\nfix: attempt 1 changed nothing\nfix: ✗ add adds: /);
    expect(stdout).toMatch(/\nFAILED Make add\(\) add\n/);
    expect(stdout).toContain("✗ add adds — ");
    expect(stdout).toContain("is unchanged: only a change with a passed verdict is delivered.");
    expect(stdout).toContain("next: ");
    expect(await readTree(workspace)).toEqual(before);
  });

  it("judges by the user's checks as well, and freezes what the user says about tests", async () => {
    const workspace = await place.workspace();
    const license = JSON.stringify({ type: "file_exists", path: "LICENSE" });
    const demands = ["--check", "cat calc.py", "--check", license, "--sufficient", "--may-change", "tests/**"];
    const work = await place.work(workspace, [PLANS, FIXES, { ...FIXES, when: { step: "rework" } }]);
    const args = ["run", "--goal", "Make add() add", ...demands, "--min-strength", "0.5", ...work];
    const { status, events, last } = await runEvents(...args);
    expect({ status, last }).toMatchObject({ status: 1, last: { verdict: "failed", delivery: "nothing" } });
    expect(Object(events[0]?.data).request).toMatchObject({
      checks: [
        { source: "user", check: { type: "command", cmd: "cat calc.py", sufficient: true } },
        { source: "user", check: { type: "file_exists", path: "LICENSE", sufficient: true } },
      ],
      mayChange: ["tests/**"],
      minStrength: 0.5,
    });
    await writeFile(join(workspace, "LICENSE"), "MIT\n");
    const again = await place.work(workspace, [PLANS, FIXES]);
    const passed = await runCli("run", "--goal", "Make add() add", "--check", license, ...again);
    expect(passed.stderr).toMatch(/fix: ✓ file_exists LICENSE \(required by the user\) /);
    expect(passed.stdout).toContain("3 checks pass on the result");
  });

  it("tells each call of a tool while it goes on, and why one failed", async () => {
    const workspace = await place.workspace();
    const calls = (name: string, given: object) => ({
      when: { step: "work" },
      toolCalls: [{ name, arguments: given }],
    });
    const look = calls("read", { path: "calc.py" });
    const miss = calls("read", { path: "none.py" });
    const work = await place.work(workspace, [PLANS, look, miss, FIXES]);
    const { status, stdout, stderr } = await runCli("run", "--goal", "Make add() add", ...work);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("fix: · read calc.py\n") });
    expect(stderr).toMatch(/fix: ✗ read none\.py: .*none\.py/);
    expect(stdout).not.toContain("read calc");
  });

  it("with --json prints each event as it is stored, and how it ended on the last line", async () => {
    const workspace = await place.workspace();
    const wrong = { when: { step: "work" }, writes: [{ path: "calc.py", content: BROKEN.replace("-", "*") }] };
    const right = { when: { step: "rework" }, writes: FIXES.writes };
    const work = await place.work(workspace, [PLANS, wrong, right]);
    const { status, events, last } = await runEvents("run", "--goal", "Make add() add", ...work);
    expect(status).toBe(0);
    expect(last).toEqual({
      runId: expect.stringMatching(/^run_/),
      status: "succeeded",
      verdict: "passed",
      treeHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      reason: expect.any(String),
      tasks: { fix: "done" },
      error: null,
      repairs: [],
      usage: expect.objectContaining({ calls: 3, costUsd: 0 }),
      costPerVerifiedUsd: 0,
      delivery: "applied",
      notes: expect.any(Array),
    });
    expect(events.map(({ type }) => type)).toContain("rework.requested");
    const { stdout } = await runCli("runs", "events", String(last.runId), "--json");
    expect(events).toEqual(JSON.parse(stdout));
  });

  it("keeps the result in the run with --apply never, and where --apply ask has nobody to ask", async () => {
    const workspace = await place.workspace();
    for (const apply of ["never", "ask"]) {
      const work = await place.work(workspace, [PLANS, FIXES]);
      const { status, stdout, stderr } = await runCli("run", "--goal", "x", "--apply", apply, ...work);
      expect({ apply, status }).toEqual({ apply, status: 0 });
      expect(stdout).toMatch(/kept: .*\ndeliver: +drydock runs apply run_/);
      expect(stderr.replace(/^(?:run|fix): .*\n/gm, "")).toBe(
        apply === "ask" ? "--apply ask needs a terminal: the changes are kept in the run.\n" : "",
      );
      expect(await readTree(workspace)).toEqual({ "calc.py": BROKEN });
    }
  });

  it("says what stands in the way of a delivery, and delivers once it is gone", async () => {
    const workspace = await place.workspace();
    const work = await place.work(workspace, [PLANS, FIXES]);
    const { last } = await runEvents("run", "--goal", "x", "--apply", "never", ...work);
    const resume = ["run", "--resume", String(last.runId), "--apply", "auto"];
    const mine = BROKEN.replace("a - b", "b - a");
    await writeFile(join(workspace, "calc.py"), mine);
    const stopped = await runCli(...resume);
    expect(stopped).toMatchObject({ status: 1, stdout: expect.stringMatching(/PASSED x[\s\S]*✗ delivery\.conflict/) });
    expect(await readTree(workspace)).toEqual({ "calc.py": mine });
    await writeFile(join(workspace, "calc.py"), BROKEN);
    expect(await runEvents(...resume)).toMatchObject({ status: 0, last: { verdict: "passed", delivery: "applied" } });
    expect(await readTree(workspace)).toEqual({ "calc.py": FIXED });
    expect((await runCli(...resume)).stdout).toMatch(/delivered: to .*\nundo: /);
  });

  it("gives the exit status of what stopped it, and the last line even then", async () => {
    const workspace = await place.workspace();
    const missing = await runEvents("run", "--goal", "x", "--workspace", workspace);
    expect(missing).toMatchObject({
      status: 5,
      last: { verdict: "unverified", treeHash: null, error: { code: "model.unavailable" } },
    });
    const work = await place.work(workspace, [PLANS, FIXES]);
    const poor = await runEvents("run", "--goal", "x", "--budget-tokens", "50", ...work);
    expect(poor).toMatchObject({ status: 4, last: { verdict: "unverified", error: { code: "limit.budget" } } });
    const shown = await runCli("run", "--goal", "x", "--workspace", workspace);
    expect(shown).toMatchObject({
      status: 5,
      stdout: expect.stringMatching(/✗ model\.unavailable[\s\S]*export ANTHROPIC_API_KEY=[\s\S]*drydock model add /),
    });
    expect(shown.stdout).not.toMatch(/unverified/i);
  });

  it("asks for a review only where somebody can answer", async () => {
    const workspace = await place.workspace();
    const work = await place.work(workspace, [PLANS]);
    const { status, value } = await runJson("run", "--goal", "x", "--review", ...work);
    expect({ status, value }).toMatchObject({ status: 2, value: { error: { code: "input.invalid" } } });
  });

  it.each([
    ["neither", []],
    ["both", ["--goal", "a", "--plan", "b"]],
    ["a resumed run's checks", ["--resume", "run_1", "--check", "ls"]],
    ["what a resumed run may change", ["--resume", "run_1", "--may-change", "tests/**"]],
    ["sufficient checks that are not there", ["--goal", "x", "--sufficient"]],
    ["a strength above 1", ["--goal", "x", "--min-strength", "1.5"]],
    ["several attempts side by side of no model", ["--goal", "x", "--model", "repair", "--best-of", "2"]],
    ["a resumed run's attempts side by side", ["--resume", "run_1", "--best-of", "2"]],
    ["a search without time", ["--goal", "x", "--model", "repair", "--repair-seconds", "0"]],
    ["a budget of no model", ["--goal", "x", "--model", "repair", "--budget-usd", "1"]],
    ["a way of working of no model", ["--goal", "x", "--model", "repair", "--way", "writes"]],
    ["repair after repair", ["--goal", "x", "--model", "repair", "--then-repair"]],
    ["bounds of a search that is not made", ["--goal", "x", "--model", "scripted:none", "--repair-seconds", "9"]],
    ["a list of changes that are not looked for", ["--goal", "x", "--model", "scripted:none", "--all"]],
    ["a check of no type", ["--goal", "x", "--check", '{"type":"lint"}']],
    ["a resumed run's workspace", ["--resume", "run_1", "--workspace", "."]],
    ["a run that is not there", ["--resume", "run_nope"]],
    ["an empty goal", ["--goal", " "]],
  ])("refuses %s as wrong usage", async (_name, words) => {
    expect((await runJson("run", ...words)).status).toBe(2);
  });
});

describe("drydock run --plan", () => {
  it("carries out a plan without a planner", async () => {
    const workspace = await place.workspace();
    const plan = await place.write("good.yaml", `goal: Make add() add\ntasks: ${JSON.stringify([TASK])}\n`);
    const { status, events } = await runEvents("run", "--plan", plan, ...(await place.work(workspace, [FIXES])));
    expect(status).toBe(0);
    expect(events.find(({ type }) => type === "plan.accepted")).toMatchObject({ data: { source: plan } });
  });

  const wrong: [string, string, RegExp][] = [
    ["bad YAML", "goal: [\n", /wrong\.yaml:\d+:\d+: not valid YAML/],
    ["an unknown key", "goal: x\ntasks:\n  - id: a\n    check: []\n", /wrong\.yaml:\d+:\d+: tasks\.0/],
    ["a task without checks", "goal: x\ntasks:\n  - id: a\n    checks: []\n", /wrong\.yaml:4:5: tasks\.0\.checks/],
  ];
  it.each(wrong)("refuses %s, and says where", async (_name, text, message) => {
    const file = await place.write("wrong.yaml", text);
    const workspace = await place.workspace();
    const { status, value } = await runJson("run", "--plan", file, "--workspace", workspace);
    expect({ status, value }).toMatchObject({
      status: 2,
      value: { error: { code: "input.invalid", message: expect.stringMatching(message), file } },
    });
  });

  it("refuses tasks that wait for each other, and names them", async () => {
    const task = (id: string, dependsOn: string[]) => ({ id, dependsOn, checks: CHECKS });
    const file = await place.write("cycle.json", { goal: "x", tasks: [task("a", ["b"]), task("b", ["a"])] });
    const workspace = await place.workspace();
    const { status, last } = await runEvents("run", "--plan", file, "--workspace", workspace);
    expect({ status, last }).toMatchObject({
      status: 1,
      last: { error: { code: "plan.invalid", message: expect.stringContaining("a, b: they depend on each other") } },
    });
  });
});

describe("drydock plan", () => {
  it("writes a plan that drydock run takes, and runs nothing", async () => {
    const workspace = await place.workspace();
    const file = await place.write("made.yaml", "");
    const work = await place.work(workspace, [PLANS]);
    expect(await runCli("plan", "--goal", "Make add() add", "--out", file, ...work)).toEqual({
      status: 0,
      stdout: `${file}\n`,
      stderr: "",
    });
    expect(await readFile(file, "utf8")).toMatch(/^goal: Make add\(\) add\ntasks:\n {2}- id: fix\n/);
    expect(await readTree(workspace)).toEqual({ "calc.py": BROKEN });
    const { status } = await runCli("run", "--plan", file, ...(await place.work(workspace, [FIXES])));
    expect(status).toBe(0);
    const { value } = await runJson("plan", "--goal", "Again", ...(await place.work(workspace, [PLANS])));
    expect(value).toMatchObject({ goal: "Again", tasks: [{ id: "fix" }] });
  });

  it("says why there is no plan", async () => {
    const workspace = await place.workspace();
    const none = { when: { step: "plan" }, json: { goal: "x", tasks: [] }, repeat: "always" };
    const { status, value } = await runJson("plan", "--goal", "x", ...(await place.work(workspace, [none])));
    expect({ status, value }).toMatchObject({ status: 1, value: { error: { hint: expect.any(String) } } });
    expect((await runJson("plan")).status).toBe(2);
  });

  it("prints the JSON Schemas of a plan and of writes", async () => {
    const plan = JSON.parse((await runCli("plan", "--schema")).stdout) as { properties: object };
    expect(Object.keys(plan.properties)).toEqual(["goal", "tasks"]);
    const writes = JSON.parse((await runCli("plan", "--writes-schema")).stdout) as { properties: object };
    expect(Object.keys(writes.properties)).toEqual(["summary", "writes"]);
  });
});
