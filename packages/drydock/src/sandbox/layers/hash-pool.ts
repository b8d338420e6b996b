import { type HashedAtOnce, type HashOutcome, hashAtOnce, hashFile, SMALL_BYTES } from "./hash-file.ts";

const BUFFER_BYTES = 128 * 1024;
/**
 * A read that takes longer did not come from memory, or the machine is busy: the next ones are not waited for here. More
 * of them each time, as long as no read is quick.
 */
const AT_HAND_MS = 2;
const FEWEST_ELSEWHERE = 4;
const MOST_ELSEWHERE = 64;
const MAX_WAITING = 4096;

interface Job {
  path: string | Buffer;
  done: (outcome: HashOutcome) => void;
}

/** Hashes files a few at a time, in the order of the calls. */
export interface HashPool {
  /** Null for a file that is not small or not at hand, or that can't be read: `add` takes any. */
  hashAtOnce(path: string | Buffer): HashedAtOnce | null;
  /** Resolves when there is room for more. */
  add(path: string | Buffer, size: number, done: (outcome: HashOutcome) => void): Promise<void> | undefined;
  /** Resolves when every file added so far is hashed; rejects with the first error. */
  drain(): Promise<void>;
}

export function createHashPool(concurrency: number, signal?: AbortSignal): HashPool {
  const waiting: Job[] = [];
  const buffers: Buffer[] = [];
  let taken = 0;
  let running = 0;
  let failure: { error: unknown } | undefined;
  let listeners: (() => void)[] = [];

  const notify = () => {
    const current = listeners;
    listeners = [];
    for (const listener of current) listener();
  };
  const start = () => {
    // The rest is not needed any more.
    if (signal?.aborted) {
      failure ??= { error: signal.reason };
      taken = waiting.length;
    }
    while (taken < waiting.length) {
      if (running === concurrency) return;
      const job = waiting[taken++];
      if (!job) return;
      const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
      running += 1;
      hashFile(job.path, buffer, signal)
        .then(job.done)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          running -= 1;
          buffers.push(buffer);
          start();
          notify();
        });
    }
    waiting.length = 0;
    taken = 0;
  };
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise<void>((resolve) => listeners.push(resolve));
  };
  const small = Buffer.allocUnsafeSlow(SMALL_BYTES);
  let elsewhere = 0;
  let nextElsewhere = FEWEST_ELSEWHERE;
  const tryAtOnce = (path: string | Buffer): HashedAtOnce | null => {
    if (elsewhere-- > 0) return null;
    const since = performance.now();
    const hashed = hashAtOnce(path, small);
    if (performance.now() - since > AT_HAND_MS) {
      elsewhere = nextElsewhere;
      nextElsewhere = Math.min(2 * nextElsewhere, MOST_ELSEWHERE);
    } else nextElsewhere = FEWEST_ELSEWHERE;
    return hashed;
  };
  return {
    hashAtOnce: tryAtOnce,
    add(path, size, done) {
      const hashed = size < SMALL_BYTES ? tryAtOnce(path) : null;
      if (hashed) {
        done({ outcome: "hashed", sha256: hashed.sha256 });
        return undefined;
      }
      waiting.push({ path, done });
      start();
      return waiting.length - taken > MAX_WAITING ? until(() => waiting.length - taken < MAX_WAITING / 2) : undefined;
    },
    async drain() {
      await until(() => running === 0 && taken === waiting.length);
      if (failure) throw failure.error;
    },
  };
}
