import type { HostWarning } from "@drydock/protocol";
import type { HostStore } from "../ledger/index.ts";

/** Something that was refused or wrong, and that belongs to no run of the caller's. */
export type Notice = Pick<HostWarning, "kind" | "source" | "text"> & Partial<Pick<HostWarning, "runId">>;

/*
 * noted ──► waiting ──► on record        at once where nothing was written within a second, else with the next write
 *
 * A plugin that goes on with forged calls costs a count in memory, and one write in a second.
 */
export interface Warnings {
  note(notice: Notice): void;
  /** What is on record, that of earlier processes included, the newest first. */
  list(limit: number): Promise<HostWarning[]>;
  /** Writes what is left. */
  close(): Promise<void>;
}

const WRITE_MS = 1000;
/** Of different ones that wait to be written. More can't be told apart by anybody; they are dropped. */
const MAX_WAITING = 200;
const MAX_WAITING_OF_ONE_SOURCE = 50;

export function createWarnings({ warnings }: Pick<HostStore, "warnings">): Warnings {
  const waiting = new Map<string, Required<Notice> & { count: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let writtenMs = Number.NEGATIVE_INFINITY;

  const isLoud = (source: string) =>
    [...waiting.values()].filter((each) => each.source === source).length >= MAX_WAITING_OF_ONE_SOURCE;

  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return writing;
    const batch = [...waiting.values()];
    waiting.clear();
    writtenMs = performance.now();
    // A ledger that can't be written must not end what is under way.
    writing = writing.then(() => warnings.add(batch)).catch(() => {});
    return writing;
  };
  return {
    note({ runId = null, ...notice }) {
      const key = JSON.stringify([notice.source, notice.text]);
      const known = waiting.get(key);
      if (!known && (waiting.size >= MAX_WAITING || isLoud(notice.source))) return;
      waiting.set(key, { ...notice, runId, count: (known?.count ?? 0) + 1 });
      timer ??= setTimeout(() => void write(), Math.max(0, writtenMs + WRITE_MS - performance.now()));
    },
    async list(limit) {
      await write();
      return warnings.list({ limit });
    },
    close: write,
  };
}
