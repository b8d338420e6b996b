import type { RunEvent } from "@drydock/protocol";
import type { Dock, OnRunStarted, Order, RunQueue } from "../../app/index.ts";

export type { OnRunStarted } from "../../app/index.ts";

export interface BackgroundRuns {
  /**
   * Starts work that goes on after the answer. Resolves with its run, or rejects where it never became one. `order` is what a
   * worker carries out in the place of this server, where there is a shared database.
   */
  start(
    act: (signal: AbortSignal, begun: OnRunStarted) => Promise<unknown>,
    order?: () => Promise<Order | null>,
  ): Promise<string>;
  /** Cancels a run of this or another process. */
  cancel(runId: string): Promise<void>;
  count(): number;
  /** Goals stop after the step at hand and can be resumed; the others get until `patience`, and are then cancelled. */
  handBack(patience: AbortSignal): Promise<void>;
}

export function createBackgroundRuns(dock: Dock, queue: RunQueue): BackgroundRuns {
  return {
    start: (act, order) => queue.start({ act, order }),
    async cancel(runId) {
      // Runs of this server are cancelled at once; another process polls for the request.
      const { kind } = await dock.runs.get(runId);
      if (kind === "goal" || !queue.cancel(runId)) await dock.runs.cancel(runId);
    },
    count: queue.count,
    // Only goals can be paused; of the others this says nothing, and they are waited for.
    handBack: (patience) => queue.handBack(patience, (runId) => dock.goals.pause(runId).catch(() => {})),
  };
}

/** Reports the first run only: further parts of a pipeline name it as the run that they belong to. */
export function once(begun: OnRunStarted): OnRunStarted {
  let isReported = false;
  return (runId) => {
    if (!isReported) begun(runId);
    isReported = true;
  };
}

/** Tells the run from the first of its events. */
export function reportRunId(begun: OnRunStarted): (event: RunEvent) => void {
  const report = once(begun);
  return ({ runId }) => report(runId);
}
