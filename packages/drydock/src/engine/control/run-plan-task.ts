import {
  type AttemptFinished,
  countWord,
  DrydockError,
  type ReworkRequest,
  type TaskEnded,
  Verification,
} from "@drydock/protocol";
import type { EngineContext } from "../engine-context.ts";
import { type EarlyRecords, takeRecordsEarly } from "../verify/index.ts";
import { REPAIR_ENDS } from "../work/repair-attempt.ts";
import { chooseBest } from "./choose-best.ts";
import { listSeries, listTurns, type Series } from "./list-series.ts";
import { requestRework } from "./request-rework.ts";
import { type AttemptTurn, type PlanTaskOptions, type TriedAttempt, tryAttempt } from "./try-attempt.ts";

/** Attempts that are made at the same time, however many are wanted. */
const MAX_AT_ONCE = 4;
const PASSED = { code: "passed", reason: "All checks passed." };
const UNPROVEN = { code: "unproven", reason: "All checks passed, and none of them proves the change." };

/** How a task ends where no attempt passed. */
interface Ending {
  code: string;
  reason: string;
}

/**
 * One task: attempt, judge, rework, until its checks pass or its attempts are used up. Every step is on record before the
 * next begins; what is on record already is not done again.
 */
export async function runPlanTask(context: EngineContext, options: PlanTaskOptions): Promise<TaskEnded> {
  const early = takeRecordsEarly(context);
  try {
    return await runAttempts(context, options, early);
  } finally {
    await early.end();
  }
}

async function runAttempts(context: EngineContext, options: PlanTaskOptions, early: EarlyRecords): Promise<TaskEnded> {
  let unproven: TriedAttempt | undefined;
  let attempts = 0;
  let ending: Ending = { code: "attempts", reason: "" };
  const note = (tried: TriedAttempt) => {
    attempts = Math.max(attempts, tried.attempt);
    // All checks hold, and none shows that the change does anything: another attempt may add a test that does. One that
    // changed nothing does not take the place of one that did: a person may want that change all the same.
    const isChanged = tried.finished.treeHash !== tried.baseHash;
    // Changes of repair come in their order: the first of them is the best.
    const isBetter = !unproven || (isChanged && tried.finished.candidate === undefined);
    if (tried.verified?.verdict === "unproven" && isBetter) unproven = tried;
  };
  for (const series of listSeries(context.settings, options.task)) {
    const made = await runSeries(context, options, series, early, note);
    if (made.best) return endTask(context, options, attempts, PASSED, made.best);
    ending = { code: made.ending.code, reason: [ending.reason, made.ending.reason].join(" ").trim() };
  }
  if (unproven) return endTask(context, options, attempts, UNPROVEN, unproven);
  return endTask(context, options, attempts, ending);
}

type SeriesOutcome = { best: TriedAttempt } | { best: null; ending: Ending };

/** Round by round, all lanes of a round at once. A lane that leaves the same tree twice is at its end. */
async function runSeries(
  context: EngineContext,
  options: PlanTaskOptions,
  series: Series,
  early: EarlyRecords,
  note: (tried: TriedAttempt) => void,
): Promise<SeriesOutcome> {
  const before = new Map<number, string>();
  let open = listTurns(series, 0).map((_, lane) => lane);
  let last: TriedAttempt | undefined;
  let made = 0;
  for (let round = 0; round < series.rounds && open.length > 0; round++) {
    const turns = listTurns(series, round);
    const tries = await tryLanes(context, open, async (lane) => {
      const turn = turns[lane] as AttemptTurn;
      return { lane, ...(await tryAttempt(context, options, turn, before.get(lane) ?? "", early)) };
    });
    for (const tried of tries) note(tried);
    made += tries.length;
    const best = await chooseBest(
      context,
      tries.filter(({ verified }) => verified?.verdict === "passed"),
    );
    if (best) return { best };
    last = tries.at(-1);
    open = tries.filter((tried) => !isAtEnd(tried)).map(({ lane }) => lane);
    for (const { lane, finished } of tries) before.set(lane, finished.treeHash);
    if (series.worker === "repair" || round + 1 === series.rounds) continue;
    for (const tried of tries)
      if (open.includes(tried.lane)) await recordRework(context, options, series, round, tried);
  }
  return { best: null, ending: describeEnd(series, made, last) };
}

function isAtEnd({ isSame, finished }: TriedAttempt): boolean {
  return isSame || (finished.failure !== null && REPAIR_ENDS.includes(finished.failure.code));
}

/**
 * A bounded number of lanes at once. Where one of several can't go on for want of budget, those that came to an end
 * count all the same.
 */
async function tryLanes<T>(
  { settings, policy }: EngineContext,
  lanes: readonly number[],
  attempt: (lane: number) => Promise<T>,
): Promise<T[]> {
  const [only] = lanes;
  if (settings.bestOf === 1 || lanes.length === 1) return only === undefined ? [] : [await attempt(only)];
  const done = new Map<number, T>();
  const failures: unknown[] = [];
  const waiting = [...lanes];
  const next = async () => {
    for (let lane = waiting.shift(); lane !== undefined && failures.length === 0; lane = waiting.shift()) {
      try {
        done.set(lane, await attempt(lane));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const atOnce = Math.min(lanes.length, MAX_AT_ONCE, Math.max(1, policy.limits.concurrency));
  await Promise.all(Array.from({ length: atOnce }, next));
  const [failure] = failures;
  const isPoor = failure instanceof DrydockError && failure.code === "limit.budget";
  if (failures.length > 0 && !(isPoor && done.size > 0)) throw failure;
  return lanes.flatMap((lane) => done.get(lane) ?? []);
}

function describeEnd({ worker, lanes }: Series, made: number, last: TriedAttempt | undefined): Ending {
  const failure = last?.finished.failure ?? null;
  if (failure && REPAIR_ENDS.includes(failure.code)) return failure;
  if (last?.isSame && lanes === 1) {
    const { attempt, finished, baseHash } = last;
    const reason =
      finished.treeHash === baseHash
        ? `Attempt ${attempt} changed nothing, like the one before it.`
        : `Attempt ${attempt} made the same changes as the one before it.`;
    return { code: "same_diff", reason };
  }
  if (worker === "repair") {
    return {
      code: "attempts",
      reason: `The verifier refused the first ${countWord(made, "change")} that repair found.`,
    };
  }
  const count = countWord(made, "attempt");
  // Where there was nothing to judge, the checks are not to blame.
  const reason = failure
    ? `It was not done in ${count}. The last one failed: ${failure.reason}`
    : `Its checks did not pass in ${count}.`;
  return { code: "attempts", reason };
}

async function recordRework(
  context: EngineContext,
  options: PlanTaskOptions,
  { rounds }: Series,
  round: number,
  { attempt, finished }: TriedAttempt,
): Promise<void> {
  const key = `${options.key}/a${attempt}`;
  if (context.journal.find("rework.requested", key)) return;
  const request = await describeRework(context, options, attempt, key, finished, rounds - round - 1);
  const data = { key, task: options.task.id, attempt, request };
  await context.journal.append([{ type: "rework.requested", key, data }]);
}

async function describeRework(
  context: EngineContext,
  { task }: PlanTaskOptions,
  attempt: number,
  key: string,
  finished: AttemptFinished,
  attemptsLeft: number,
): Promise<ReworkRequest> {
  const verified = context.journal.find("task.verified", key);
  const verification = verified
    ? Verification.parse(JSON.parse(await context.documents.read(String(verified.data.verification))))
    : null;
  const diff = finished.diff === null ? "" : await context.documents.read(finished.diff);
  return requestRework({ task, attempt, attemptsLeft, failure: finished.failure, verification, diff });
}

/** A task is done when all of its checks hold, proved or not: the whole result gets the verdict. */
export function endingOf(code: string): "task.done" | "task.failed" {
  return code === "passed" || code === "unproven" ? "task.done" : "task.failed";
}

/** `left` is the attempt whose result the task leaves. */
async function endTask(
  { journal }: EngineContext,
  { key, task }: PlanTaskOptions,
  attempts: number,
  { code, reason }: Ending,
  left?: TriedAttempt,
): Promise<TaskEnded> {
  const data: TaskEnded = {
    key,
    task: task.id,
    attempts,
    ...(left && left.attempt !== attempts && { judged: left.attempt }),
    code,
    reason,
    layer: left?.finished.layer ?? null,
    treeHash: left?.verified?.treeHash ?? null,
  };
  await journal.append([{ type: endingOf(code), key, data }]);
  return data;
}
