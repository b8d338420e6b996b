import { runLanes } from "./run-lanes.ts";
import type { Candidate, Trial, TrialPlan, TrialWatch, Workshop } from "./workshop.ts";

export interface TrialBatch {
  trials: Trial[];
  /** Not begun: there was no time. */
  left: Candidate[];
  unable: string | null;
}

/** How long one sandbox is used: long enough to pay for the start, short enough to show progress. */
const SLICE_SECONDS = 8;

/** Tries candidates side by side in several sandboxes. One that took its sandbox with it counts as a failure. */
export async function runTrials(
  workshop: Workshop,
  plan: TrialPlan,
  candidates: readonly Candidate[],
  { lanes, seconds, watch = {} }: { lanes: number; seconds: number; watch?: TrialWatch },
): Promise<TrialBatch> {
  // In turns: candidates that never end lie close together.
  const parts = Array.from({ length: lanes }, (_, lane) => candidates.filter((_, index) => index % lanes === lane));
  const limit = Math.max(1, Math.min(SLICE_SECONDS, seconds));
  const reports = await runLanes(
    parts
      .filter((part) => part.length > 0)
      .map((part) => (failed: AbortSignal) => {
        const stop = watch.stop ? AbortSignal.any([watch.stop, failed]) : failed;
        return workshop.tryCandidates({ plan, candidates: part, seconds: limit, watch: { ...watch, stop } });
      }),
  );
  const trials = reports.flatMap((report) => [
    ...report.trials,
    ...report.lost.map((id) => ({ id, fixed: 0, failing: plan.failing.length, isLate: false })),
  ]);
  const done = new Set(trials.map(({ id }) => id));
  const isSaid = trials.length > 0 || watch.stop?.aborted;
  const unable = isSaid ? null : (reports.find((report) => report.unable !== null)?.unable ?? "no answer");
  return { trials, left: candidates.filter(({ id }) => !done.has(id)), unable };
}
