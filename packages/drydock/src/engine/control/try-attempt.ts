import {
  type AttemptFinished,
  AttemptFinished as AttemptFinishedSchema,
  type Check,
  type Layer,
  type PlanTask,
  type RequiredCheck,
  ReworkRequest,
  type TaskVerified,
} from "@drydock/protocol";
import { layerChanges, type WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, type OpenTrees, openTree, withStableTrees } from "../engine-context.ts";
import type { JournalEntry } from "../ports.ts";
import type { EarlyRecords } from "../verify/index.ts";
import { type Attempt, type AttemptRequest, makeAttempt } from "../work/make-attempt.ts";
import { makeRepairAttempt } from "../work/repair-attempt.ts";
import { taskRules } from "../work/task-rules.ts";
import { judgeAttempt, prefetchRecords } from "./judge-attempt.ts";
import { joinRequired } from "./required-checks.ts";

export interface PlanTaskOptions {
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

/** Which attempt, who makes it, and after which one. */
export interface AttemptTurn {
  attempt: number;
  worker: "model" | "repair";
  /** The attempt whose rework request it answers; null: it is the first of its kind. */
  after: number | null;
}

/** What an attempt came to. */
export interface TriedAttempt {
  attempt: number;
  finished: AttemptFinished;
  /** The tree that it started from. */
  baseHash: string;
  /** Null where there was nothing to judge, or it was judged a moment ago. */
  verified: TaskVerified | null;
  /** It left the very tree that the attempt before it left, and was not judged again. */
  isSame: boolean;
}

const MAX_DIFF_CHARS = 400_000;

/** One attempt and its verdict. Every step is on record before the next begins; what is on record is not done again. */
export async function tryAttempt(
  context: EngineContext,
  options: PlanTaskOptions,
  turn: AttemptTurn,
  /** The tree that the attempt before it left. */
  before: string,
  early: EarlyRecords,
): Promise<TriedAttempt> {
  const { attempt } = turn;
  const key = `${options.key}/a${attempt}`;
  const base = await openTree(context, options.base, taskRules(context, options.task));
  await recordStart(context, options, attempt, key, base);
  const { finished, layer, trees } = await finishAttempt(context, options, turn, key, early);
  const tried = { attempt, finished, baseHash: base.treeHash };
  if (finished.failure !== null) return { ...tried, verified: null, isSame: false };
  const recorded = context.journal.find("task.verified", key)?.data as TaskVerified | undefined;
  // The same changes were judged a moment ago: judging them again would say the same.
  if (!recorded && finished.treeHash === before) return { ...tried, verified: null, isSame: true };
  const verified = recorded ?? (await judgeLayer(context, options, attempt, key, layer, trees));
  return { ...tried, verified, isSame: false };
}

/** Both trees over the directory as it is now: it may have changed since the attempt began. */
async function judgeLayer(
  context: EngineContext,
  options: PlanTaskOptions,
  attempt: number,
  key: string,
  layer: Layer | null,
  trees: OpenTrees | null,
): Promise<TaskVerified> {
  const rules = taskRules(context, options.task);
  const judge = (tree: WorkTree, base: WorkTree) => judgeAttempt(context, { ...options, attempt, key, tree, base });
  return withStableTrees(context, { layer, base: options.base }, rules, judge, trees);
}

async function recordStart(
  { journal }: EngineContext,
  { task, key, on, keptBase }: PlanTaskOptions,
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
  options: PlanTaskOptions,
  turn: AttemptTurn,
  key: string,
  early: EarlyRecords,
): Promise<{ finished: AttemptFinished; layer: Layer | null; trees: OpenTrees | null }> {
  const recorded = context.journal.find("attempt.finished", key);
  if (recorded) {
    const finished = AttemptFinishedSchema.parse(recorded.data);
    const layer = finished.layer === null ? null : await context.layers.read(finished.layer);
    return { finished, layer, trees: null };
  }
  const { attempt } = turn;
  const rules = taskRules(context, options.task);
  const { task, base: from } = options;
  // What is on record of the attempt is not done again, where it is taken up over a workspace that has changed.
  const { made, trees } = await withStableTrees(context, { layer: from, base: from }, rules, async (base) => {
    const over = context.workbench.treeHash;
    const stopTaking = early.begin(prefetchRecords(context, options, base));
    const working = { ...context, runner: early.runner };
    const attempted = await work(working, options, turn, { key, rules, base }).finally(stopTaking);
    const tree = attempted.kind === "made" ? attempted.tree : base;
    return { made: attempted, trees: { over, tree, base } };
  });
  const layer = made.kind === "made" ? made.tree.layer : null;
  const describe = (tree: WorkTree, base: WorkTree) =>
    describeAttempt(context, { key, task: task.id, attempt }, base, made.kind === "made" ? { ...made, tree } : made);
  const finished = await withStableTrees(context, { layer: layer ?? from, base: from }, rules, describe, trees);
  await context.journal.append([{ type: "attempt.finished", key, data: finished }]);
  return { finished, layer, trees };
}

function work(
  context: EngineContext,
  options: PlanTaskOptions,
  turn: AttemptTurn,
  place: Pick<AttemptRequest, "key" | "rules" | "base">,
): Promise<Attempt> {
  const { goal, task, required, key: taskKey } = options;
  const { attempt } = turn;
  if (turn.worker === "repair") {
    const { checks } = joinRequired(task.checks, required);
    const candidate = countCandidates(context, taskKey) + 1;
    return makeRepairAttempt(context, { taskKey, task, checks, candidate, base: place.base });
  }
  return makeAttempt(context, { ...place, goal, task, attempt, rework: reworkBefore(context, options, turn) });
}

/** Changes of the task's search that were attempts already. A run may be taken up with repair in the place of its model. */
function countCandidates({ journal }: EngineContext, taskKey: string): number {
  return journal.events().filter(({ type, data }) => {
    if (type !== "attempt.finished" || typeof data.candidate !== "number") return false;
    return String(data.key).replace(/\/a\d+$/, "") === taskKey;
  }).length;
}

/** Feedback from the previous attempt, and the results of other tasks that this one must fit. */
function reworkBefore(
  { journal }: EngineContext,
  { key, task, conflict }: PlanTaskOptions,
  { after }: AttemptTurn,
): ReworkRequest | null {
  if (after !== null) return ReworkRequest.parse(journal.find("rework.requested", `${key}/a${after}`)?.data.request);
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
  const { tree, summary, candidate } = made;
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
    ...(candidate !== undefined && { candidate }),
  };
}
