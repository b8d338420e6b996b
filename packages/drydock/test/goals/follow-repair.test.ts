import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

const ADD = "def add(a, b):\n    return a - b\n";
// By unittest, which starts ten times as fast as pytest: each search starts it many times.
const TESTS =
  "import unittest\n\nfrom add import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n\n    def test_negative(self):\n        self.assertEqual(add(2, -3), -1)\n";
const CHECK = "python3 -m unittest -q";
const BOUNDS = { seconds: 60, candidates: 300 };
const LONG = { timeout: 180_000 };

const read = (t: GoalDock) => readFileSync(join(t.workspace, "add.py"), "utf8");
const repair = (t: GoalDock, options: object) =>
  t.run([], { model: "repair", repair: BOUNDS, checks: [CHECK], ...options });

/** A search that is cancelled with the first change that it finds. */
async function cancelWhenFound(t: GoalDock) {
  const stop = new AbortController();
  const result = await repair(t, {
    goal: "Fix add()",
    signal: stop.signal,
    onProgress: (progress: { kind: string; found?: number }) => {
      if (progress.kind === "repair" && (progress.found ?? 0) > 0) stop.abort();
    },
  });
  expect(result).toMatchObject({ status: "cancelled", verdict: "unverified", delivery: "nothing" });
  expect(read(t)).toBe(ADD);
  t.events.length = 0;
  return result.runId;
}

it("a change that was found, and cancelled before its verdict, is verified by a run that follows", LONG, async () => {
  const t = await openGoalDock({ "add.py": ADD, "test_add.py": TESTS });
  const follow = await cancelWhenFound(t);
  const result = await repair(t, { follow });
  expect(result).toMatchObject({ verdict: "passed", delivery: "applied", usage: { calls: 0 } });
  expect(read(t)).toBe(ADD.replace("-", "+"));
  const [report] = result.repairs;
  expect(report).toMatchObject({ stopped: "found", chosen: 1 });
  // Nothing but what was on record is tried.
  expect(report?.tried).toBeLessThanOrEqual(6);
  expect(t.data("run.followed")).toMatchObject([{ run: follow, layer: null, repairs: expect.any(String) }]);
  expect(t.data("run.created")).toMatchObject([{ title: "Fix add()" }]);
  expect(t.data("check.finished")).toMatchObject([{ alsoPassesBefore: false, control: { failed: true } }]);
  expect(await t.dock.runs.replay(result.runId)).toMatchObject({ ok: true, verdict: "passed", divergences: [] });
});

it("what was on record does not overwrite a file that somebody has changed since", LONG, async () => {
  const t = await openGoalDock({ "add.py": ADD, "test_add.py": TESTS });
  const follow = await cancelWhenFound(t);
  const edited = `# Sums.\n${ADD}`;
  writeFileSync(join(t.workspace, "add.py"), edited);
  const result = await repair(t, { follow });
  expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
  expect(read(t)).toBe(edited.replace("-", "+"));
  expect(result.repairs[0]?.tried).toBeGreaterThan(6);
});

it("a change on record that the tests do not accept any more is searched on from", LONG, async () => {
  const twice = "\n\ndef twice(a):\n    return a * 3\n";
  const both = `${ADD}${twice}`;
  const more = `${TESTS.replace("import add\n", "import add, twice\n")}\n    def test_twice(self):\n        self.assertEqual(twice(4), 8)\n`;
  const t = await openGoalDock({ "add.py": both, "test_add.py": more });
  const stop = new AbortController();
  const { runId: follow } = await repair(t, {
    goal: "Fix both",
    signal: stop.signal,
    onProgress: (progress: { kind: string; best?: unknown }) => {
      if (progress.kind === "repair" && progress.best) stop.abort();
    },
  });
  t.events.length = 0;
  const result = await repair(t, { follow, repair: { seconds: 100, candidates: 2000 } });
  expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
  expect(read(t)).toContain("return a + b");
  expect(t.data("run.followed")).toMatchObject([{ layer: null, repairs: expect.any(String) }]);
});

it("a change that the verifier refused is not taken up again, and one that was discarded neither", LONG, async () => {
  const t = await openGoalDock({ "add.py": ADD, "test_add.py": TESTS });
  const never = { type: "file_matches", path: "add.py", pattern: "no such text" } as const;
  const refused = await repair(t, {
    goal: "Fix add()",
    checks: [CHECK, never],
    repair: { seconds: 60, candidates: 1 },
  });
  expect(refused.verdict).toBe("failed");
  const discarded = await cancelWhenFound(t);
  await t.dock.runs.discard(discarded);
  for (const follow of [refused.runId, discarded]) {
    t.events.length = 0;
    await repair(t, { follow, apply: "never", repair: { seconds: 60, candidates: 1 } });
    expect(t.data("run.followed")).toMatchObject([{ repairs: null }]);
  }
});
