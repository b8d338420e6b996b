import type { CheckResult, Dock } from "drydock";
import { type Performance, performGoal } from "../goals/perform-goal.ts";
import type { Stage } from "../stage.ts";

/** Live: no model, no script, no key. What the search tries and finds is not known beforehand. */
export async function repairPythonBug(dock: Dock, stage: Stage): Promise<void> {
  stage.act(
    "A bug is repaired, live and without a model",
    "Nothing of this is scripted. The tests fail; repair searches in sandboxes for a small change after which",
    "they pass; the verifier judges it like anybody's change, and only then the directory changes.",
  );
  const done = await performGoal(dock, stage, { goal: "Fix add() so tests pass", workspace: "python-bugfix" });
  checkDelivered(stage, done);
  stage.check("the tests failed before, and pass now", isProved(done, "pytest -q"));
  stage.check("no model was asked", done.result.usage.calls === 0);
}

export async function repairNodeBug(dock: Dock, stage: Stage): Promise<void> {
  stage.act("The same for Node, live as well");
  const done = await performGoal(dock, stage, {
    goal: "Fix median() so that the tests pass",
    workspace: "node-bugfix",
  });
  checkDelivered(stage, done);
  stage.check("the tests failed before, and pass now", isProved(done, "node --test"));
}

/** The main job: a sentence becomes a change that its checks have proved, and only then the directory changes. */
export async function fixPythonBug(dock: Dock, stage: Stage): Promise<void> {
  stage.act(
    "A goal becomes a proven change",
    "A sentence goes in. A model plans and works in a layer of its own; checks, run in fresh sandboxes,",
    "decide. What passed goes to the directory, all at once. Here a script stands in for the model.",
  );
  const done = await performGoal(dock, stage, {
    goal: "Fix add() so tests pass",
    workspace: "python-bugfix",
    script: "python-bugfix.script.yaml",
  });
  checkDelivered(stage, done);
  stage.check("the tests failed before, and pass now", isProved(done, "pytest -q"));
  const now = await dock.verify({ checks: [{ type: "command", cmd: "pytest -q" }], workspace: done.directory });
  stage.check(
    "the directory now is the very tree that was judged",
    now.verdict === "passed" && now.treeHash === done.result.treeHash,
  );
}

export async function fixNodeBug(dock: Dock, stage: Stage): Promise<void> {
  stage.act("The same for Node");
  const done = await performGoal(dock, stage, {
    goal: "Fix median() so that the tests pass",
    workspace: "node-bugfix",
    script: "node-bugfix.script.yaml",
  });
  checkDelivered(stage, done);
  stage.check("the tests failed before, and pass now", isProved(done, "node --test"));
}

/** What must be true of every goal that was reached. */
export function checkDelivered(stage: Stage, { result, untouchedBefore, untouchedAfter }: Performance): void {
  stage.check(
    "not a byte of the directory changed before the verdict; then it did",
    result.verdict === "passed" && result.delivery === "applied" && untouchedBefore && !untouchedAfter,
  );
}

function isProved({ events }: Performance, cmd: string): boolean {
  const checks = events
    .filter(({ type }) => type === "check.finished")
    .map(({ data }) => data as unknown as CheckResult);
  return checks.some(
    ({ verdict, check, alsoPassesBefore }) => check.cmd === cmd && verdict === "passed" && alsoPassesBefore === false,
  );
}
