import type { TrialWatch } from "../workshop.ts";
import { readTrial } from "./read-reports.ts";

const MOST_TIMER_MS = 2 ** 31 - 1;
/** A program that judges candidates says something twice a second. After so long without a word, it was stopped. */
const SILENT_MS = 8000;

export interface DriverPatience {
  /** From its first line on, it may take so long, whatever it says: a candidate may have stopped it, and speak for it. */
  mostMs: number;
  silentMs?: number;
}

/**
 * Listens to the program in the sandbox while it works. `signal` aborts where the caller's does, where nothing more is
 * wanted, and where the program has begun with a candidate and says nothing any more, or does not come to an end.
 */
export function watchDriver(
  signal: AbortSignal | undefined,
  { onTrial, stop }: TrialWatch,
  { mostMs, silentMs = SILENT_MS }: DriverPatience,
) {
  const silent = new AbortController();
  const lines: string[] = [];
  let begun = "";
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Timeout | undefined;
  const listen = (line: string) => {
    const trial = readTrial(line);
    if (trial) onTrial?.(trial);
  };
  return {
    signal: AbortSignal.any([silent.signal, ...(signal ? [signal] : []), ...(stop ? [stop] : [])]),
    take(text: string): void {
      const [first = "", ...others] = text.split("\n");
      begun += first;
      for (const next of others) {
        lines.push(begun);
        listen(begun);
        begun = next;
      }
      clearTimeout(timer);
      // While it loads the tests it says nothing, however long that takes.
      if (lines.length === 0) return;
      timer = setTimeout(() => silent.abort(), silentMs);
      last ??= setTimeout(() => silent.abort(), Math.min(mostMs, MOST_TIMER_MS));
    },
    /** The lines so far. */
    text: () => lines.join("\n"),
    end() {
      clearTimeout(timer);
      clearTimeout(last);
    },
  };
}
