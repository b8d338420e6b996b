const EVERY_MS = 1000;

/** Ends of runs that could not be written: the disk was full, or another process held the ledger. A run must not stay open for that. */
export interface LateEnds {
  add(write: () => Promise<unknown>): void;
  /** Tries them once more. What can't be written then is ended as lost by the next process. */
  close(): Promise<void>;
}

export function createLateEnds(): LateEnds {
  const waiting = new Set<() => Promise<unknown>>();
  let trying: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const tryAll = async () => {
    for (const write of [...waiting]) {
      // The same end again changes nothing; another end was written by somebody else. Either way it is over.
      const isWritten = await write().then(
        () => true,
        (error: { code?: unknown }) => error.code === "input.invalid",
      );
      if (isWritten) waiting.delete(write);
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const start = () => {
    trying ??= tryAll().finally(() => {
      trying = undefined;
    });
    return trying;
  };
  return {
    add(write) {
      waiting.add(write);
      timer ??= setInterval(() => void start(), EVERY_MS).unref();
    },
    async close() {
      clearInterval(timer);
      await trying;
      if (waiting.size > 0) await start();
      clearInterval(timer);
    },
  };
}
