import type { FetchedJob } from "../postgres/order-store.ts";
import { carryJob } from "./carry-job.ts";
import type { WorkerPorts } from "./open-worker.ts";

/** One job in hand. */
export interface Entry {
  job: FetchedJob;
  lost: AbortController;
  done: Promise<void>;
}

/** What a worker has in hand. */
export interface Hands {
  /** By run. */
  readonly entries: ReadonlyMap<string, Entry>;
  take(job: FetchedJob): void;
  /** Its claim is over: the work is aborted, and can write no more. */
  lose(entry: Entry, reason: string): void;
  /** Resolves when nothing is in hand. */
  settle(): Promise<void>;
}

export function createHands(ports: WorkerPorts, workerId: string, onFree: () => void): Hands {
  const entries = new Map<string, Entry>();

  function lose(entry: Entry, reason: string): void {
    if (entry.lost.signal.aborted) return;
    const { runId } = entry.job.data;
    ports.ledger.claims.drop(runId);
    entry.lost.abort(new Error(reason));
    ports.onNote?.(`The claim of run ${runId} is over: ${reason}`);
  }

  return {
    entries,
    lose,
    take(job) {
      const { runId } = job.data;
      // What this process does for an earlier claim of the same run has to be over: both would write as one.
      const earlier = entries.get(runId);
      if (earlier) lose(earlier, "this worker has claimed it again.");
      const entry: Entry = { job, lost: new AbortController(), done: Promise.resolve() };
      entries.set(runId, entry);
      entry.done = (earlier?.done ?? Promise.resolve())
        .then(() => carryJob(ports, workerId, entry))
        .finally(() => {
          if (entries.get(runId) === entry) entries.delete(runId);
          onFree();
        });
    },
    async settle() {
      await Promise.allSettled([...entries.values()].map(({ done }) => done));
    },
  };
}
