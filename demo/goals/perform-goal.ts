import { join } from "node:path";
import {
  type Dock,
  describeDiffer,
  describeOthers,
  type GoalResult,
  listOthers,
  REPAIR,
  REPAIR_NAME,
  type RunEvent,
} from "drydock";
import type { Stage } from "../stage.ts";
import { copyWorkspace } from "./copy-workspace.ts";
import { hashDirectory } from "./hash-directory.ts";
import { tellEvent } from "./tell-event.ts";

export interface GoalRequest {
  goal: string;
  /** A directory of the demo. */
  workspace: string;
  /** A file of the demo that stands in for a model; without one, repair searches for the change. */
  script?: string;
  /** How much of the diff is shown. Default: all of it. */
  diffLines?: number;
}

export interface Performance {
  result: GoalResult;
  /** The copy that the goal works on. */
  directory: string;
  events: RunEvent[];
  /** Whether the directory was as it came whenever something was recorded before the verdict. */
  untouchedBefore: boolean;
  /** The same, at the end of all. */
  untouchedAfter: boolean;
}

const demo = join(import.meta.dirname, "..");

/** Carries a goal out on a copy, and tells how. What must be true of it is for the act to say. */
export async function performGoal(dock: Dock, stage: Stage, request: GoalRequest): Promise<Performance> {
  const { goal, workspace, script, diffLines } = request;
  const directory = join(stage.directory, script?.replace(/\.yaml$/, "") ?? `${workspace}.repair`);
  copyWorkspace(join(demo, workspace), directory);
  const before = hashDirectory(directory);
  const events: RunEvent[] = [];
  let untouchedBefore = true;
  stage.note("goal", stage.paint("bold", goal));
  stage.note("in", `a copy of demo/${workspace}`);
  if (script === undefined) stage.note("worker", `${stage.paint("yellow", REPAIR_NAME)}: nothing here is scripted`);
  else stage.note("model", `${stage.paint("yellow", "scripted")}, its answers come from demo/${script}`);
  const result = await dock.goals.run({
    goal,
    workspace: directory,
    model: script === undefined ? REPAIR : `scripted:${join(demo, script)}`,
    onEvent(event) {
      events.push(event);
      const isJudged = events.some(({ type }) => type === "tree.verified");
      if (!isJudged) untouchedBefore &&= hashDirectory(directory) === before;
      tellEvent(stage, event);
    },
  });
  const diff = await dock.runs.diff(result.runId);
  if (diff !== "" && diffLines !== 0) {
    stage.note("diff", "");
    stage.quote(diff.replace(/^(diff --git|index|new file mode) .*\n/gm, ""), diffLines);
  }
  for (const report of result.repairs) tellOthers(stage, report);
  tellEnd(stage, result, diff);
  const untouchedAfter = hashDirectory(directory) === before;
  if (result.verdict === "passed" && untouchedAfter) {
    stage.say(`demo/${workspace} holds the change already. As it came: git checkout -- demo/${workspace}`);
  }
  return { result, directory, events, untouchedBefore, untouchedAfter };
}

/** What the tests leave open is said as well. */
function tellOthers(stage: Stage, report: GoalResult["repairs"][number]): void {
  const others = describeOthers(report);
  if (others === null) return;
  stage.note("open", stage.paint("yellow", `${others}:`));
  for (const { summary } of listOthers(report)) stage.say(`  ${summary}`);
  for (const line of describeDiffer(report)) stage.say(`  ${stage.paint("dim", line)}`);
}

function tellEnd(stage: Stage, { verdict, treeHash, reason, delivery, error }: GoalResult, diff: string): void {
  const isPassed = verdict === "passed";
  const tree = treeHash === null ? `: ${reason}` : `, on the tree ${treeHash.slice(0, 16)}…`;
  stage.note("verdict", `${stage.paint(["bold", isPassed ? "green" : "red"], verdict)}${tree}`);
  const paths = [...diff.matchAll(/^diff --git a\/.* b\/(.*)$/gm)].map(([, path]) => path).join(", ");
  stage.note("delivered", delivery === "applied" && paths !== "" ? `all at once: ${paths}` : "nothing");
  if (error) stage.quote(`${error.code}: ${error.message}\n${error.hint}`);
}
