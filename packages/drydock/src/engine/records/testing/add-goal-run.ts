import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run, RunEvent } from "@drydock/protocol";
import { createRedactor, type Ledger, type NewEvent, openLedger, readOwner } from "../../../ledger/index.ts";
import type { ContentReaders } from "../content-readers.ts";

export interface GoalRun {
  run: Run;
  events: RunEvent[];
  readers: ContentReaders;
  /** A place for files, gone with the ledger. */
  scratch: string;
}

/** Values for what a test wants to be otherwise in the run. */
export interface GoalRunOptions {
  goal?: string;
  title?: string;
  diff?: string;
  output?: string;
  taskId?: string;
}

const BASE = "b".repeat(64);
const FIRST = "1".repeat(64);
const FINAL = "f".repeat(64);

export const DIFF = `diff --git a/calculator/basics.py b/calculator/basics.py
--- a/calculator/basics.py
+++ b/calculator/basics.py
@@ -1,6 +1,6 @@
 def add(a, b):
-    return a - b
+    return a + b
 
 
 def half(a):
`;

export async function withLedger<T>(use: (ledger: Ledger, home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "drydock-records-"));
  const redactor = createRedactor({ environment: {}, allowedNames: () => true });
  const ledger = await openLedger({ home, redactor, owner: readOwner() });
  try {
    return await use(ledger, home);
  } finally {
    await ledger.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A goal of four tasks in a real ledger: one is reworked, one has a check that proves nothing, one stands on two others. */
export async function withGoalRun<T>(use: (run: GoalRun) => Promise<T>, options: GoalRunOptions = {}): Promise<T> {
  return withLedger(async (ledger, home) => {
    const runId = await addGoalRun(ledger, options);
    const run = await ledger.getRun(runId);
    if (!run) throw new Error("the run is missing");
    return use({
      run,
      events: await ledger.events(runId, { limit: 100_000 }),
      readers: { blob: (sha256) => ledger.blobs.read(sha256), artifact: (id) => ledger.artifacts.read(id) },
      scratch: join(home, "scratch"),
    });
  });
}

export async function addGoalRun(ledger: Ledger, options: GoalRunOptions = {}): Promise<string> {
  const goal = options.goal ?? "Fix add() so that the tests pass, and report the coverage";
  const bug = options.taskId ?? "fix-add";
  const workspace = "/home/ada/calculator";
  const { id: runId } = await ledger.createRun({
    kind: "goal",
    title: options.title ?? goal,
    workspace,
    data: { request: { goal, planSource: null, plan: null, model: ["scripted:answers.yaml"] } },
  });
  const blob = async (text: string) => (await ledger.blobs.put(Buffer.from(text), { runId })).sha256;
  const append = (type: NewEvent["type"], data: Record<string, unknown>) => ledger.append(runId, [{ type, data }]);
  const ask = async (key: string, task: string | null, step: string, answer: object) => {
    const prompt = await ledger.artifacts.put(Buffer.from(`# user\n\nThe prompt of ${key}\n`), {
      runId,
      name: `${key.replaceAll("/", "-")}.md`,
      mime: "text/markdown",
    });
    const common = { key, step, task, model: "scripted" };
    await append("model.asked", { ...common, scripted: true, prompt: prompt.id, templates: {} });
    const usage = { inputTokens: 1200, outputTokens: 340, cachedInputTokens: 0, costUsd: 0.0123 };
    const kept = await blob(JSON.stringify(answer));
    await append("model.answered", {
      ...common,
      answer: kept,
      usage,
      summary: "writes a file",
      durationMs: 812,
      scripted: 0,
    });
  };
  const test = { type: "command", cmd: "pytest -q", timeout: 60 };
  const task = (id: string, title: string, dependsOn: string[]) => ({
    ...{
      id,
      title,
      instructions: `Do what the title says: ${title}.`,
      dependsOn,
      scope: ["calculator/**"],
      attempts: 3,
    },
    checks: [test],
  });
  const plan = {
    goal,
    tasks: [
      task(bug, "Mend add() in calculator/basics.py", []),
      task("docs", "Describe the calculator in the handbook, with examples for each function", []),
      task("coverage", "Write the coverage report as JSON", [bug]),
      task("release", "Put the parts together", ["coverage", "docs", bug]),
    ],
  };
  await append("plan.refused", { key: "plan/1", problems: [{ where: "tasks.0.checks", problem: "needs one check" }] });
  await ask("plan/2", null, "plan", plan);
  await append("plan.accepted", { key: "plan", plan, source: "planner", review: "none" });

  const attempt = async (id: string, number: number, passed: boolean) => {
    const place = { task: id, attempt: number };
    const treeHash = passed ? FINAL : FIRST;
    await append("attempt.started", { key: `${id}/a${number}`, ...place, baseHash: BASE, on: [] });
    await ask(`${id}/a${number}/answer/1`, id, number === 1 ? "work" : "rework", { text: `answer ${number}` });
    await append("tool.finished", {
      ...{ key: `${id}/a${number}/tool/1.1`, ...place, name: "read", arguments: { path: "calculator/basics.py" } },
      ...{ failed: false, result: await blob("text"), summary: "def add(a, b):", layer: null, durationMs: 2 },
    });
    await append("attempt.finished", {
      ...{ key: `${id}/a${number}`, ...place, layer: null, treeHash, diff: await blob(options.diff ?? DIFF) },
      ...{ changes: [{ path: "calculator/basics.py", kind: "changed" }], failure: null },
      summary: "I fixed add() and all tests pass now.",
    });
    const result = {
      ...{ type: "command", name: "tests", verdict: passed ? "passed" : "failed", code: passed ? "ok" : "exit_code" },
      reason: passed ? "It exited with 0." : "It exited with 1 instead of 0.",
      evidence: { exitCode: passed ? 0 : 1, output: options.output ?? "E  assert 5 == 6\n1 failed in 0.02s\n" },
      ...{ durationMs: 421, treeHash, check: test, alsoPassesBefore: false },
    };
    const weak = {
      ...{
        type: "file_exists",
        verdict: "passed",
        code: "ok",
        reason: "README.md is there.",
        evidence: {},
        durationMs: 1,
      },
      ...{ treeHash, check: { type: "file_exists", path: "README.md" }, alsoPassesBefore: true },
    };
    const implied = {
      ...{
        type: "unchanged",
        verdict: "passed",
        code: "ok",
        reason: "No test was changed.",
        evidence: {},
        durationMs: 3,
      },
      ...{ treeHash, check: { type: "unchanged", paths: ["tests/**"] }, implied: true },
    };
    const checks = [result, weak, implied];
    for (const [index, check] of checks.entries()) {
      await append("check.finished", { key: `${id}/a${number}/check/${index}`, ...place, ...check });
    }
    const verdict = passed ? "passed" : "failed";
    const verification = await blob(JSON.stringify({ verdict, treeHash, baseHash: BASE, checks, repeated: 0 }));
    await append("task.verified", { key: `${id}/a${number}`, ...place, verdict, treeHash, verification });
    if (passed) return;
    const failed = [{ type: "command", name: "tests", reason: result.reason, code: "exit_code", evidence: {} }];
    const request = { task: id, attempt: number, attemptsLeft: 3 - number, failed, tried: DIFF };
    await append("rework.requested", { key: `${id}/a${number}`, ...place, request });
  };
  for (const { id } of plan.tasks) {
    await append("task.started", { key: id, task: id });
    if (id === bug) await attempt(id, 1, false);
    await attempt(id, id === bug ? 2 : 1, true);
    const code = { code: "passed", layer: null, treeHash: FINAL };
    await append("task.done", { key: id, task: id, attempts: id === bug ? 2 : 1, reason: "", ...code });
  }
  const whole = await blob(
    JSON.stringify({ verdict: "passed", treeHash: FINAL, baseHash: BASE, checks: [], repeated: 0 }),
  );
  await append("tree.verified", { key: "tree", verdict: "passed", treeHash: FINAL, verification: whole, reason: "" });
  const file = { path: "calculator/basics.py", kind: "changed", type: "file", mode: 0o644, size: 90, sha256: FIRST };
  const empty = { changedUnderneath: [], denied: [] };
  const layer = { version: 1, workspace, baseHash: BASE, treeHash: FINAL, entries: [file], ...empty };
  await append("layer.captured", {
    layer: await blob(JSON.stringify(layer)),
    baseHash: BASE,
    entries: 1,
    final: true,
  });
  const ended = { verdict: "passed", treeHash: FINAL, reason: "All checks of all tasks pass on the whole result." };
  const usage = { calls: 6, inputTokens: 7200, outputTokens: 2040, costUsd: 0.0738 };
  await ledger.finish(runId, {
    type: "run.succeeded",
    data: { ...ended, error: null, usage },
  });
  await append("layer.applied", { treeHash: FINAL });
  return runId;
}
