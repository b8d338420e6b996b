import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";
import { BROKEN, FILES, UNITTEST } from "./add-project.ts";

const TESTS = `${FILES["test_add.py"]}
    def test_negative(self):
        self.assertEqual(add(2, -3), -1)
`;
const NEVER = `
    def test_never(self):
        self.assertEqual(add(1, 1), add(1, 1) + 1)
`;
/** Small bounds: the search is tried elsewhere. */
const BOUNDS = { seconds: 40, candidates: 300 };
const LONG_MS = 120_000;

const repair = (t: GoalDock, options: object = {}) =>
  t.run([], { goal: "Fix add()", model: "repair", repair: BOUNDS, ...options });
const read = (t: GoalDock, path = "add.py") => readFileSync(join(t.workspace, path), "utf8");

describe("a goal without a model", () => {
  it("is repaired, judged and delivered like any other, and says what the tests leave open", {
    timeout: LONG_MS,
  }, async () => {
    const t = await openGoalDock({ ...FILES, "test_add.py": TESTS });
    const phases = new Set<string>();
    const result = await repair(t, {
      onProgress: (progress: { kind: string; phase?: string }) =>
        progress.kind === "repair" && phases.add(String(progress.phase)),
    });
    expect(result).toMatchObject({
      verdict: "passed",
      delivery: "applied",
      usage: { calls: 0 },
      tasks: { repair: "done" },
    });
    expect(read(t)).toBe(BROKEN.replace("-", "+"));
    expect(t.data("plan.accepted")).toMatchObject([
      {
        source: "repair",
        plan: { tasks: [{ scope: ["add.py"], checks: [{ type: "command", cmd: "python3 -m unittest" }] }] },
      },
    ]);
    expect([...phases]).toEqual(expect.arrayContaining(["baseline", "search"]));
    expect(t.data("repair.progressed").length).toBeGreaterThan(0);
    const [report] = result.repairs;
    expect(report).toMatchObject({ task: "repair", chosen: 1, stopped: "found", refused: 0 });
    expect(report?.changes[0]?.diff).toContain("+    return a + b");
    expect(report?.found).toBe(report?.changes.length);
    const checks = t.data("check.finished");
    expect(checks).toMatchObject([{ verdict: "passed", alsoPassesBefore: false, control: { failed: true } }]);
    const page = String(await t.dock.runs.report(result.runId));
    expect(page).toContain("repair (search, no language model)");
    expect(page).toMatch(/other changes? also pass(es)?: your tests do not tell them apart/);
    expect(await t.dock.runs.replay(result.runId)).toMatchObject({ ok: true, verdict: "passed", divergences: [] });
  });

  it("takes the next change where the verifier refuses the best one", { timeout: LONG_MS }, async () => {
    const t = await openGoalDock({ ...FILES, "test_add.py": TESTS });
    const odd = { type: "file_matches", path: "add.py", pattern: "return (?!a \\+ b)" } as const;
    const result = await repair(t, { checks: [UNITTEST, odd] });
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
    const [report] = result.repairs;
    expect(report?.refused).toBeGreaterThan(0);
    expect(report?.chosen).toBeGreaterThan(1);
    expect(read(t)).not.toContain("a + b");
    expect(
      t
        .data("attempt.finished")
        .map(({ candidate }) => candidate)
        .slice(0, 2),
    ).toEqual([1, 2]);
  });

  it("is repaired after the model's last attempt failed, where that is wanted", { timeout: LONG_MS }, async () => {
    const t = await openGoalDock({ ...FILES, "test_add.py": TESTS });
    const tasks = [{ id: "fix", scope: ["add.py"], checks: [{ type: "command", cmd: UNITTEST }], attempts: 2 }];
    const wrong = (sign: string) => ({ writes: [{ path: "add.py", content: BROKEN.replace("-", sign) }] });
    const answers = [wrong("*"), wrong("/")];
    const result = await t.run(answers, { plan: { goal: "x", tasks }, thenRepair: true, repair: BOUNDS });
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied", usage: { calls: 2 } });
    expect(t.data("task.verified").map(({ attempt, verdict }) => [attempt, verdict])).toEqual([
      [1, "failed"],
      [2, "failed"],
      [3, "passed"],
    ]);
    expect(read(t)).toBe(BROKEN.replace("-", "+"));
  });

  it("that is cancelled keeps the best change so far, and says what it lacks", { timeout: LONG_MS }, async () => {
    const t = await openGoalDock({ ...FILES, "test_add.py": TESTS + NEVER });
    const stop = new AbortController();
    const result = await repair(t, {
      checks: [UNITTEST],
      signal: stop.signal,
      repair: { seconds: 100, candidates: 100_000 },
      onProgress: (progress: { kind: string; best?: unknown }) => {
        if (progress.kind === "repair" && progress.best) stop.abort();
      },
    });
    expect(result).toMatchObject({ status: "cancelled", verdict: "unverified", delivery: "nothing" });
    expect(read(t)).toBe(BROKEN);
    const [report] = result.repairs;
    expect(report).toMatchObject({ stopped: "cancelled", chosen: null });
    expect(report?.best?.tests.failing).toBeGreaterThan(0);
    expect(t.data("attempt.finished")).toMatchObject([{ candidate: 0, failure: null }]);
    expect(t.data("task.verified")).toEqual([]);
  });

  it("that no change reaches fails with what was tried", { timeout: LONG_MS }, async () => {
    const t = await openGoalDock({ ...FILES, "test_add.py": FILES["test_add.py"].replace(/\n {4}def .*/s, NEVER) });
    const result = await repair(t, { checks: [UNITTEST], repair: { seconds: 20, candidates: 40 } });
    expect(result).toMatchObject({ status: "failed", verdict: "failed", error: null, delivery: "nothing" });
    expect(result.reason).toMatch(/Repair tried [\d,]+ changes? in /);
    expect(read(t)).toBe(BROKEN);
  });

  it.each([
    [
      "nothing fails",
      { "add.py": BROKEN.replace("-", "+") },
      {},
      /All tests already pass \("python3 -m unittest"\): there is nothing to repair/,
    ],
    ["there are no tests", { "test_add.py": "" }, {}, /"pytest -q" runs no test/],
    [
      "tests can't be loaded",
      { "test_add.py": "import nowhere\n\n\ndef test_a():\n    assert nowhere\n" },
      {},
      /"pytest -q" fails before a test begins: the tests can't be loaded/,
    ],
    ["the tests' program is missing", {}, { checks: ["no-such-runner -q"] }, /no-such-runner -q.* can't be started/],
  ])("says what repair can do, and what needs a model, where %s", async (_name, files, options, message) => {
    const t = await openGoalDock({ ...FILES, "test_add.py": TESTS, ...files });
    const { error, verdict } = await repair(t, options);
    expect({ verdict, code: error?.code }).toEqual({ verdict: "unverified", code: "model.unavailable" });
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(/need a language model[\s\S]*drydock model add/);
    expect(t.data("attempt.started")).toEqual([]);
  });
});
