import type { SteeringItem } from "@drydock/protocol/runner";
import { RUNNER_LIMITS } from "@drydock/protocol/runner";

/*
 * open ──► closed      with the end of its run, never before
 *
 * queued ──► injected   the runner pulled it
 *      └───► dropped    the run ended before: the host handles the event as an ordinary one
 */
export interface SteeringQueue {
  /** False where the run is about to end, or too much is waiting: the event is then an ordinary one. */
  offer(item: SteeringItem): boolean;
  pull(mode: "all" | "one-at-a-time", limit: number | null | undefined): Promise<SteeringItem[]>;
  /** Nothing is taken any more. Returns what was never pulled. */
  close(): SteeringItem[];
}

export function createSteeringQueue(onInjected: (items: readonly SteeringItem[]) => Promise<void>): SteeringQueue {
  const waiting: SteeringItem[] = [];
  let isClosed = false;
  return {
    offer(item) {
      if (isClosed || waiting.length >= RUNNER_LIMITS.steeringQueueItems) return false;
      waiting.push(item);
      return true;
    },
    async pull(mode, limit) {
      const most = mode === "all" ? (limit ?? RUNNER_LIMITS.steeringPullItems) : 1;
      const items = waiting.splice(0, most);
      if (items.length === 0) return items;
      try {
        await onInjected(items);
      } catch (error) {
        // What could not be put on record was not pulled: the next pull gets it, or the end of the run drops it.
        waiting.unshift(...items);
        throw error;
      }
      return items;
    },
    close() {
      isClosed = true;
      return waiting.splice(0);
    },
  };
}
