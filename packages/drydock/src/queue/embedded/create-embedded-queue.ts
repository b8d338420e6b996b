import { DrydockError, INTERNAL_HINT } from "@drydock/protocol";
import type { RunQueue } from "../run-queue.ts";

/** Everything is carried out by this process, at once; the sandbox's gate holds `limits.concurrency`. `onFault` hears of errors that no caller waits for any more. */
export function createEmbeddedQueue(onFault: (error: unknown) => void): RunQueue {
  const cancels = new Map<string, () => void>();
  const working = new Map<Promise<unknown>, { runId: string | undefined; controller: AbortController }>();
  return {
    async start({ act }) {
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
          if (entry.runId !== undefined) onFault(error);
          begun.reject(error);
        },
      );
      return begun.promise;
    },
    cancel(runId) {
      const cancel = cancels.get(runId);
      cancel?.();
      return cancel !== undefined;
    },
    count: () => working.size,
    async handBack(patience, pause) {
      for (const { runId } of working.values()) if (runId !== undefined) await pause(runId);
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
