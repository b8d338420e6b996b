import {
  type AttemptFinished,
  AttemptFinished as AttemptFinishedSchema,
  type Check,
  countWord,
  type Layer,
  type PlanTask,
  type RequiredCheck,
  ReworkRequest,
  type TaskEnded,
  type TaskVerified,
  Verification,
} from "@drydock/protocol";
import { layerChanges, type WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, type OpenTrees, openTree, withTrees } from "../engine-context.ts";
import type { JournalEntry } from "../ports.ts";
import { type EarlyRecords, takeRecordsEarly } from "../verify/index.ts";
import { type Attempt, makeAttempt } from "../work/make-attempt.ts";
import { taskRules } from "../work/task-rules.ts";
import { foreseeRecords, judgeAttempt } from "./judge-attempt.ts";
import { requestRework } from "./request-rework.ts";

export interface RunTaskOptions {
  goal: string;
  task: PlanTask;
  /** The checks of all tasks of the plan, and people's. */
  guarded: readonly Check[];
  /** What people require, where the task is all of the plan. */
  required: readonly RequiredCheck[];
  /** `task`, or `task~1` once it has been reset: the records of its attempts begin with it. */
  key: string;
  /** What its dependencies proved. */
  base: Layer | null;
  /** Where `base` is kept, where that is not just what one task left, or nothing. */
  keptBase: string | null;
  /** Tasks whose results are in `base`. */
  on: readonly string[];
  /** Where the task is done again because its result could not be put together with others'. */
  conflict?: readonly string[];
}

const MAX_DIFF_CHARS = 400_000;
const UNPROVEN = { code: "unproven", reason: "All checks passed, and none of them proves the change." };

/**
 * One task: attempt, judge, rework, until its checks pass or its attempts are used up. Every step is on record before the
 * next begins; what is on record already is not done again.
 */
export async function runTask(context: EngineContext, options: RunTaskOptions): Promise<TaskEnded> {
  const early = takeRecordsEarly(context);
  try {
    return await runAttempts(context, options, early);
  } finally {
    await early.end();
  }
}

async function runAttempts(context: EngineContext, options: RunTaskOptions, early: EarlyRecords): Promise<TaskEnded> {
  const { journal } = context;
  const { task, key } = options;
  const rules = taskRules(context, task);
  let before = "";
  let failure: AttemptFinished["failure"] = null;
  let unproven: { attempt: number; finished: AttemptFinished; verified: TaskVerified } | undefined;
  const endUnproven = ({ attempt: judged, finished, verified }: NonNullable<typeof unproven>, attempts: number) =>
    endTask(context, options, attempts, UNPROVEN, finished, verified, judged);
  for (let attempt = 1; attempt <= task.attempts; attempt++) {
    const attemptKey = `${key}/a${attempt}`;
    const base = await openTree(context, options.base, rules);
    await recordStart(context, options, attempt, attemptKey, base);
    const { finished, layer, trees } = await finishAttempt(context, options, attempt, attemptKey, early);
    if (finished.failure === null) {
      const recorded = journal.find("task.verified", attemptKey)?.data as TaskVerified | undefined;
      // The same changes were judged a moment ago: judging them again would say the same.
      if (!recorded && finished.treeHash === before) {
        if (unproven) return endUnproven(unproven, attempt);
        const reason =
          finished.treeHash === base.treeHash
            ? `Attempt ${attempt} changed nothing, like the one before it.`
            : `Attempt ${attempt} made the same changes as the one before it.`;
        return endTask(context, options, attempt, { code: "same_diff", reason });
      }
      const verified = recorded ?? (await judgeLayer(context, options, attempt, attemptKey, layer, trees));
      if (verified.verdict === "passed") {
        const how = { code: "passed", reason: "All checks passed." };
        return endTask(context, options, attempt, how, finished, verified);
      }
      // All checks hold, and none shows that the change does anything: another attempt may add a test that does. One that
      // changed nothing does not take the place of one that did: a person may want that change all the same.
      const isChanged = finished.treeHash !== base.treeHash;
      if (verified.verdict === "unproven" && (isChanged || !unproven)) unproven = { attempt, finished, verified };
    }
    before = finished.treeHash;
    failure = finished.failure;
    if (attempt < task.attempts && !journal.find("rework.requested", attemptKey)) {
      const request = await describeRework(context, options, attempt, attemptKey, finished);
      const data = { key: attemptKey, task: task.id, attempt, request };
      await journal.append([{ type: "rework.requested", key: attemptKey, data }]);
    }
  }
  if (unproven) return endUnproven(unproven, task.attempts);
  const count = countWord(task.attempts, "attempt");
  // Where there was nothing to judge, the checks are not to blame.
  const reason = failure
    ? `It was not done in ${count}. The last one failed: ${failure.reason}`
    : `Its checks did not pass in ${count}.`;
  return endTask(context, options, task.attempts, { code: "attempts", reason });
}

/** Both trees over the directory as it is now: it may have changed since the attempt began. */
async function judgeLayer(
  context: EngineContext,
  options: RunTaskOptions,
  attempt: number,
  key: string,
  layer: Layer | null,
  trees: OpenTrees | null,
): Promise<TaskVerified> {
  const rules = taskRules(context, options.task);
  const judge = (tree: WorkTree, base: WorkTree) => judgeAttempt(context, { ...options, attempt, key, tree, base });
  return withTrees(context, { layer, base: options.base }, rules, judge, trees);
}

async function recordStart(
  { journal }: EngineContext,
  { task, key, on, keptBase }: RunTaskOptions,
  attempt: number,
  attemptKey: string,
  base: WorkTree,
): Promise<void> {
  const entries: JournalEntry[] = [];
  if (!journal.find("task.started", key)) {
    entries.push({ type: "task.started", key, data: { key, task: task.id, title: task.title } });
  }
  if (!journal.find("attempt.started", attemptKey)) {
    const data = { key: attemptKey, task: task.id, attempt, baseHash: base.treeHash, base: keptBase, on: [...on] };
    entries.push({ type: "attempt.started", key: attemptKey, data });
  }
  if (entries.length > 0) await journal.append(entries);
}

async function finishAttempt(
  context: EngineContext,
  options: RunTaskOptions,
  attempt: number,
  key: string,
  early: EarlyRecords,
): Promise<{ finished: AttemptFinished; layer: Layer | null; trees: OpenTrees | null }> {
  const recorded = context.journal.find("attempt.finished", key);
  if (recorded) {
    const finished = AttemptFinishedSchema.parse(recorded.data);
    const layer = finished.layer === null ? null : await context.layers.read(finished.layer);
    return { finished, layer, trees: null };
  }
  const rules = taskRules(context, options.task);
  const rework = reworkBefore(context, options, attempt);
  const { goal, task, base: from } = options;
  // What is on record of the attempt is not done again, where it is taken up over a workspace that has changed.
  const { made, trees } = await withTrees(context, { layer: from, base: from }, rules, async (base) => {
    const over = context.workbench.treeHash;
    const stopTaking = early.begin(foreseeRecords(context, options, base));
    const working = { ...context, runner: early.runner };
    const attempted = await makeAttempt(working, { key, goal, task, attempt, rules, base, rework }).finally(stopTaking);
    const tree = attempted.kind === "made" ? attempted.tree : base;
    return { made: attempted, trees: { over, tree, base } };
  });
  const layer = made.kind === "made" ? made.tree.layer : null;
  const describe = (tree: WorkTree, base: WorkTree) =>
    describeAttempt(context, { key, task: task.id, attempt }, base, made.kind === "made" ? { ...made, tree } : made);
  const finished = await withTrees(context, { layer: layer ?? from, base: from }, rules, describe, trees);
  await context.journal.append([{ type: "attempt.finished", key, data: finished }]);
  return { finished, layer, trees };
}

/** What this attempt is told of the one before; a task that has to fit to others' results is told of those. */
function reworkBefore(
  { journal }: EngineContext,
  { key, task, conflict }: RunTaskOptions,
  attempt: number,
): ReworkRequest | null {
  if (attempt > 1) return ReworkRequest.parse(journal.find("rework.requested", `${key}/a${attempt - 1}`)?.data.request);
  if (!conflict) return null;
  return {
    task: task.id,
    attempt: 0,
    attemptsLeft: task.attempts,
    failed: [
      {
        type: "merge",
        code: "conflict",
        reason: `Other tasks changed the same lines meanwhile: ${conflict.join(", ")}. Their changes are in the files now.`,
        evidence: {},
      },
    ],
    tried: "",
  };
}

async function describeAttempt(
  { documents, layers, workbench }: EngineContext,
  of: { key: string; task: string; attempt: number },
  base: WorkTree,
  made: Attempt,
): Promise<AttemptFinished> {
  if (made.kind === "failed") {
    const failure = { code: made.code, reason: made.reason };
    return { ...of, layer: null, treeHash: base.treeHash, diff: null, changes: [], summary: made.reason, failure };
  }
  const { tree, summary } = made;
  await workbench.keepOriginals(tree.layer);
  const diff = await tree.diff(base);
  return {
    ...of,
    layer: await layers.keep(tree.layer),
    treeHash: tree.treeHash,
    diff: await documents.keep(diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n# cut\n` : diff),
    changes: layerChanges({ entries: tree.entriesSince(base) }).slice(0, 200),
    summary: summary.slice(0, 2000),
    failure: null,
  };
}

async function describeRework(
  context: EngineContext,
  { task }: RunTaskOptions,
  attempt: number,
  key: string,
  finished: AttemptFinished,
): Promise<ReworkRequest> {
  const verified = context.journal.find("task.verified", key);
  const verification = verified
    ? Verification.parse(JSON.parse(await context.documents.read(String(verified.data.verification))))
    : null;
  const diff = finished.diff === null ? "" : await context.documents.read(finished.diff);
  return requestRework({ task, attempt, failure: finished.failure, verification, diff });
}

/** A task is done when all of its checks hold, proved or not: the whole result gets the verdict. */
export function endingOf(code: string): "task.done" | "task.failed" {
  return code === "passed" || code === "unproven" ? "task.done" : "task.failed";
}

async function endTask(
  { journal }: EngineContext,
  { key, task }: RunTaskOptions,
  attempts: number,
  { code, reason }: { code: string; reason: string },
  finished?: AttemptFinished,
  verified?: TaskVerified,
  judged = attempts,
): Promise<TaskEnded> {
  const data: TaskEnded = {
    key,
    task: task.id,
    attempts,
    ...(judged !== attempts && { judged }),
    code,
    reason,
    layer: finished?.layer ?? null,
    treeHash: verified?.treeHash ?? null,
  };
  await journal.append([{ type: endingOf(code), key, data }]);
  return data;
}
