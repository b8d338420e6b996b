import type { Check, PlanTask, RepairChange, RepairFinished, RepairProgressed, RepairSummary } from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, RunPaused } from "../engine-context.ts";
import type { RepairCandidate, RepairOutcome, RepairProgress } from "../repair/index.ts";
import { isCommandCheck, toJudgedTree } from "../verify/index.ts";

export interface RepairTask {
  /** `task`, or `task~1`: the key of its search begins with it. */
  taskKey: string;
  task: PlanTask;
  base: WorkTree;
  /** All checks that judge what the task leaves. */
  checks: readonly Check[];
}

const MAX_DIFF_CHARS = 4000;
/** How often a search that goes on is put on record, and how often at most. */
const RECORD_MS = 5000;
const MAX_RECORDED = 200;

/** The search for a task: made once, and read from the record ever after. */
export async function settleRepair(context: EngineContext, request: RepairTask): Promise<RepairOutcome> {
  const { journal, documents } = context;
  const key = `${request.taskKey}/repair`;
  const recorded = journal.find("repair.finished", key);
  if (recorded) return JSON.parse(await documents.read(String(recorded.data.outcome))) as RepairOutcome;
  context.checkpoint();
  const outcome = await search(context, key, request);
  // A task that is stopped without ending the run begins again later.
  if (context.signal.aborted && context.signal.reason instanceof RunPaused) throw context.signal.reason;
  const data: RepairFinished = {
    key,
    task: request.task.id,
    ...summarize(outcome),
    outcome: await documents.keep(JSON.stringify(outcome)),
  };
  await journal.append([{ type: "repair.finished", key, data }]);
  return outcome;
}

async function search(context: EngineContext, key: string, request: RepairTask): Promise<RepairOutcome> {
  const { task, base, checks } = request;
  const { seed, seconds, candidates } = context.settings.repair;
  const record = recordProgress(context, key, task.id);
  try {
    return await context.searchRepair(key, {
      tree: toJudgedTree(context.workbench, base),
      checks: checks.filter(isCommandCheck),
      scope: task.scope,
      seed,
      limits: { seconds, candidates },
      known: context.settings.followed?.repairs,
      signal: context.signal,
      onProgress(progress) {
        context.onProgress?.({ kind: "repair", task: task.id, ...progress });
        record.take(progress);
      },
    });
  } finally {
    await record.settled();
  }
}

/** Records the progress of a search from time to time, for readers of the events. */
function recordProgress({ journal, now }: EngineContext, key: string, task: string) {
  let last: RepairProgress | undefined;
  let lastMs = 0;
  let count = 0;
  let writing = Promise.resolve();
  return {
    take(progress: RepairProgress) {
      const isNews = progress.phase !== last?.phase || (progress.found > 0 && last.found === 0);
      if (!isNews && now() - lastMs < RECORD_MS) return;
      if (++count > MAX_RECORDED) return;
      last = progress;
      lastMs = now();
      const best = progress.best && { ...progress.best, diff: cut(progress.best.diff) };
      const data: RepairProgressed = { key: `${key}/${count}`, task, ...progress, best };
      writing = writing.then(() => journal.append([{ type: "repair.progressed", key: data.key, data }]));
      // The next write reports the error.
      writing.catch(() => {});
    },
    settled: () => writing.catch(() => {}),
  };
}

function summarize({ found, bestPartial, reason, localisation, differ, open: _, ...outcome }: RepairOutcome) {
  const summary: RepairSummary = {
    ...outcome,
    reason: reason?.message ?? "",
    suspects: localisation?.lines.map(({ path, line }) => `${path}:${line}`) ?? [],
    found: found.length,
    changes: found.map((candidate, index) => toChange(candidate, index + 1)),
    best: bestPartial && toChange(bestPartial, 0),
    differ: differ
      ? {
          input: differ.input,
          results: differ.results.map(({ candidate, result }) => ({ candidate: candidate + 1, result })),
        }
      : null,
  };
  return summary;
}

function toChange(
  { edits, summary, diff, tests, group, strength = null }: RepairCandidate,
  candidate: number,
): RepairChange {
  return { candidate, edits, summary, diff: cut(diff), tests, group, strength };
}

function cut(diff: string): string {
  return diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n# cut\n` : diff;
}
