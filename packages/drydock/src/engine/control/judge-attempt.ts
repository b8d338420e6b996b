import type { Check, PlanTask, RequiredCheck, TaskVerified } from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, openTree } from "../engine-context.ts";
import { decideVerdict, type EarlyRequest, judgeTree, toJudgedTree } from "../verify/index.ts";
import { taskRules } from "../work/task-rules.ts";
import { demandStrength } from "./demand-strength.ts";
import { openChangeBase, requireOwnChange } from "./followed-work.ts";
import { judgingOptions } from "./judging-options.ts";
import { joinRequired } from "./required-checks.ts";

export interface JudgeRequest {
  key: string;
  task: PlanTask;
  /** The checks of all tasks: what this one leaves is what the others are judged on. */
  guarded: readonly Check[];
  attempt: number;
  tree: WorkTree;
  base: WorkTree;
  /** What people require, where the attempt leaves the whole result: what fails of it can be reworked. */
  required: readonly RequiredCheck[];
}

/** Judges what an attempt left, and puts the verdict on record with all that it rests on. */
export async function judgeAttempt(context: EngineContext, request: JudgeRequest): Promise<TaskVerified> {
  const { journal, documents } = context;
  const { key, task, attempt } = request;
  context.checkpoint();
  const trees = await judgedTrees(context, request.tree, request.base);
  const { checks, nameSources } = joinRequired(task.checks, request.required);
  const judged = await judgeTree({
    ...trees,
    checks,
    guarded: request.guarded,
    scope: task.scope,
    ...judgingOptions(context, task.id),
    refresh: () => reopenTrees(context, request),
  });
  const results = nameSources(judged.checks);
  const isChanged = judged.treeHash !== judged.baseHash;
  const named = { ...judged, checks: results, ...(request.required.length > 0 && decideVerdict(results, isChanged)) };
  const own = await requireOwnChange(context, request.tree, named);
  const base = await openChangeBase(context, request.base);
  const verification = await demandStrength(context, { ...request, base, checks, verification: own });
  const verified: TaskVerified = {
    key,
    task: task.id,
    attempt,
    verdict: verification.verdict,
    treeHash: verification.treeHash,
    verification: await documents.keep(JSON.stringify(verification)),
    ...(verification.reason !== undefined && { reason: verification.reason }),
  };
  await journal.append([
    ...verification.checks.map((check, index) => ({
      type: "check.finished" as const,
      key: `${key}/check/${index}`,
      data: { key: `${key}/check/${index}`, task: task.id, attempt, ...check },
    })),
    { type: "task.verified", key, data: verified },
  ]);
  return verified;
}

/** What judging an attempt will need that starts from `base`, whatever it leaves. */
export function prefetchRecords(
  context: EngineContext,
  { task, guarded, required }: Pick<JudgeRequest, "task" | "guarded" | "required">,
  base: WorkTree,
): EarlyRequest {
  const { checks } = joinRequired(task.checks, required);
  return { checks, guarded, openTrees: () => judgedTrees(context, base, base) };
}

/** A verdict is about one tree: null where the directory below is as it was, else the same changes over what it is now. */
async function reopenTrees(context: EngineContext, { task, tree, base }: JudgeRequest) {
  if (!(await context.workbench.refresh())) return null;
  const rules = taskRules(context, task);
  return judgedTrees(context, await openTree(context, tree.layer, rules), await openTree(context, base.layer, rules));
}

async function judgedTrees(context: EngineContext, tree: WorkTree, base: WorkTree) {
  const { workbench, settings } = context;
  const untouched = await openTree(context, settings.initial);
  return {
    tree: toJudgedTree(workbench, tree),
    before: toJudgedTree(workbench, await openChangeBase(context, base)),
    untouched: toJudgedTree(workbench, untouched),
  };
}
