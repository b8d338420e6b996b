import type { QueuedCall } from "@drydock/protocol";
import { cancelledInQueueError, queueFullError } from "../errors.ts";

/** A call, as its caller describes it. */
export type QueueCall = Omit<QueuedCall, "position" | "since">;

export interface QueueLimits {
  /** Of one extension at once. */
  concurrency: number;
  /** Of all extensions at once. */
  total: number;
  signal?: AbortSignal;
  /** Called with each change of its place; 1 is next. Not called where it need not wait. */
  onQueued?: (position: number) => void;
}

/** A place among those that run. */
export interface QueueTurn {
  /** Aborted by `cancel`. */
  signal: AbortSignal;
  leave(): void;
}

/**
 * Calls of one process in the order they came. One whose extension is busy lets those of other extensions pass; one
 * that waits because all places are taken lets no other pass. So each gets its turn, however few places its policy has.
 */
export interface Queue {
  /** Rejects with `run.cancelled` while it waits, and with `limit.concurrency` where too many do. */
  enter(call: QueueCall, limits: QueueLimits): Promise<QueueTurn>;
  list(): QueuedCall[];
  /** Ends the waiting of a call, or asks one that runs to end; false where there is none. */
  cancel(runId: string): boolean;
}

interface Waiting {
  call: QueueCall;
  limits: QueueLimits;
  since: string;
  /** The position that was last reported to its caller. */
  reportedPosition: number;
  go(): void;
  giveUp(): void;
}

interface Running {
  call: QueueCall;
  since: string;
  stop: AbortController;
}

const MAX_WAITING = 1000;

export function createQueue(options: { maxWaiting?: number; now?: () => Date } = {}): Queue {
  const { maxWaiting = MAX_WAITING, now = () => new Date() } = options;
  const waiting: Waiting[] = [];
  const running = new Set<Running>();
  const perExtension = new Map<string, number>();

  const runningOf = (extension: string) => perExtension.get(extension) ?? 0;

  function start(call: QueueCall): QueueTurn {
    const place: Running = { call, since: now().toISOString(), stop: new AbortController() };
    running.add(place);
    perExtension.set(call.extension, runningOf(call.extension) + 1);
    return {
      signal: place.stop.signal,
      leave() {
        if (!running.delete(place)) return;
        const left = runningOf(call.extension) - 1;
        if (left === 0) perExtension.delete(call.extension);
        else perExtension.set(call.extension, left);
        admit();
      },
    };
  }

  function mayStart({ extension }: QueueCall, { concurrency, total }: QueueLimits): "yes" | "extension" | "total" {
    if (running.size >= total) return "total";
    return runningOf(extension) >= concurrency ? "extension" : "yes";
  }

  function admit(): void {
    const busy = new Set<string>();
    for (const next of [...waiting]) {
      if (busy.has(next.call.extension)) continue;
      const may = mayStart(next.call, next.limits);
      if (may === "total") break;
      if (may === "yes") {
        waiting.splice(waiting.indexOf(next), 1);
        next.go();
      } else busy.add(next.call.extension);
    }
    reportPositions();
  }

  function reportPositions(): void {
    // A caller may change the queue in its callback; then that change notifies the rest.
    for (const [index, place] of [...waiting].entries()) {
      if (place.reportedPosition === index + 1 || waiting[index] !== place) continue;
      place.reportedPosition = index + 1;
      try {
        place.limits.onQueued?.(place.reportedPosition);
      } catch (error) {
        process.emitWarning(`onQueued threw: ${error instanceof Error ? error.message : error}`, "DrydockWarning");
      }
    }
  }

  return {
    async enter(call, limits) {
      const { signal } = limits;
      if (signal?.aborted) throw cancelledInQueueError();
      // No waiting call could start now: each change of the queue has started all that could.
      const isBlocked = waiting.some(
        (other) => other.call.extension === call.extension || mayStart(other.call, other.limits) === "total",
      );
      if (!isBlocked && mayStart(call, limits) === "yes") return start(call);
      if (waiting.length >= maxWaiting) throw queueFullError(waiting.length);
      return new Promise<QueueTurn>((resolve, reject) => {
        const place: Waiting = {
          call,
          limits,
          since: now().toISOString(),
          reportedPosition: 0,
          go() {
            signal?.removeEventListener("abort", place.giveUp);
            resolve(start(call));
          },
          giveUp() {
            signal?.removeEventListener("abort", place.giveUp);
            waiting.splice(waiting.indexOf(place), 1);
            reject(cancelledInQueueError());
            admit();
          },
        };
        waiting.push(place);
        signal?.addEventListener("abort", place.giveUp, { once: true });
        reportPositions();
      });
    },
    list: () => [
      ...Array.from(running, ({ call, since }) => ({ ...call, position: 0, since })),
      ...waiting.map(({ call, since }, index) => ({ ...call, position: index + 1, since })),
    ],
    cancel(runId) {
      const place = waiting.find(({ call }) => call.runId === runId);
      if (place) {
        place.giveUp();
        return true;
      }
      const found = Array.from(running).find(({ call }) => call.runId === runId);
      found?.stop.abort(cancelledInQueueError());
      return found !== undefined;
    },
  };
}
