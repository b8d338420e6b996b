import { type HashOutcome, hashFile } from "./hash-file.ts";

const BUFFER_BYTES = 128 * 1024;
const MAX_WAITING = 4096;

interface Job {
  path: string | Buffer;
  done: (outcome: HashOutcome) => void;
}

/** Hashes files a few at a time, in the order given. */
export interface HashPool {
  /** Resolves when there is room for more. */
  add(path: string | Buffer, done: (outcome: HashOutcome) => void): Promise<void> | undefined;
  /** Resolves when every file given so far is hashed; rejects with the first error. */
  drain(): Promise<void>;
}

export function createHashPool(concurrency: number): HashPool {
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
    while (taken < waiting.length) {
      if (running === concurrency) return;
      const job = waiting[taken++];
      if (!job) return;
      const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
      running += 1;
      hashFile(job.path, buffer)
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
  return {
    add(path, done) {
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
