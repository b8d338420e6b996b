import { countWord, DrydockError } from "@drydock/protocol";

/** Limits how many runs execute at once. The others wait in the order they came. */
export interface Gate {
  enter(places: number, signal?: AbortSignal): Promise<() => void>;
  count(): { running: number; waiting: number };
}

const MAX_WAITING = 10_000;

export function createGate(): Gate {
  const waiting: { places: number; go: () => void }[] = [];
  let inside = 0;

  function leave(): void {
    inside--;
    admit();
  }

  function admit(): void {
    for (let next = waiting[0]; next && inside < next.places; next = waiting[0]) {
      waiting.shift();
      next.go();
    }
  }

  function once(): () => void {
    inside++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
    };
  }

  return {
    count: () => ({ running: inside, waiting: waiting.length }),
    enter(places, signal) {
      if (signal?.aborted) return Promise.reject(cancelled());
      if (inside < places && waiting.length === 0) return Promise.resolve(once());
      if (waiting.length >= MAX_WAITING) {
        return Promise.reject(
          new DrydockError(
            "limit.concurrency",
            `The queue is full: ${countWord(waiting.length, "run is", "runs are")} already waiting.`,
            "Send fewer at once, or raise the limit: `drydock policy set limits.concurrency 8`.",
            { waiting: waiting.length },
          ),
        );
      }
      return new Promise((resolve, reject) => {
        const leaveQueue = () => {
          waiting.splice(waiting.indexOf(place), 1);
          reject(cancelled());
          admit(); // those behind it may want more places than it did
        };
        const place = {
          places,
          go: () => {
            signal?.removeEventListener("abort", leaveQueue);
            resolve(once());
          },
        };
        waiting.push(place);
        signal?.addEventListener("abort", leaveQueue, { once: true });
      });
    },
  };
}

function cancelled(): DrydockError {
  return new DrydockError("run.cancelled", "The run was cancelled while it waited for its turn.", "Run it again.");
}
