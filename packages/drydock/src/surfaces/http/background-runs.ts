import { DrydockError, INTERNAL_HINT, type RunEvent } from "@drydock/protocol";
import type { Dock } from "../../app/index.ts";
import { warnOfFault } from "./guard/answer-error.ts";

/** How a piece of work reports the id of its run. */
export type OnRunStarted = (runId: string) => void;

export interface BackgroundRuns {
  /** Starts work that goes on after the answer. Resolves with its run, or rejects where it never became one. */
  start(act: (signal: AbortSignal, begun: OnRunStarted) => Promise<unknown>): Promise<string>;
  /** Cancels a run of this or another process. */
  cancel(runId: string): Promise<void>;
  count(): number;
  /** Goals stop after the step at hand and can be resumed; the others get until `patience`, and are then cancelled. */
  handBack(patience: AbortSignal): Promise<void>;
}

export function createBackgroundRuns(dock: Dock): BackgroundRuns {
  const cancels = new Map<string, () => void>();
  const working = new Map<Promise<unknown>, { runId: string | undefined; controller: AbortController }>();

  return {
    async start(act) {
      const begun = Promise.withResolvers<string>();
      const controller = new AbortController();
      const entry: { runId: string | undefined; controller: AbortController } = { runId: undefined, controller };
      const work = act(controller.signal, (runId) => {
        entry.runId = runId;
        cancels.set(runId, () => controller.abort());
        begun.resolve(runId);
      });
      working.set(work, entry);
      const done = () => {
        working.delete(work);
        if (entry.runId !== undefined) cancels.delete(entry.runId);
      };
      work.then(
        () => {
          done();
          begun.reject(new DrydockError("internal", "The work ended without a run.", INTERNAL_HINT));
        },
        (error: unknown) => {
          done();
          // The end of a recorded run is in the ledger; no caller waits for this promise any more.
          if (entry.runId !== undefined) warnOfFault(error);
          begun.reject(error);
        },
      );
      return begun.promise;
    },
    async cancel(runId) {
      // Runs of this server are cancelled at once; another process polls for the request.
      const cancel = cancels.get(runId);
      const { kind } = await dock.runs.get(runId);
      if (cancel && kind !== "goal") cancel();
      else await dock.runs.cancel(runId);
    },
    count: () => working.size,
    async handBack(patience) {
      for (const { runId } of working.values()) {
        // Only goals can be paused; of the others this says nothing, and they are waited for.
        if (runId !== undefined) await dock.goals.pause(runId).catch(() => {});
      }
      const stop = () => {
        for (const { controller } of working.values()) controller.abort();
      };
      if (patience.aborted) stop();
      patience.addEventListener("abort", stop, { once: true });
      await Promise.allSettled(working.keys());
      patience.removeEventListener("abort", stop);
    },
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
