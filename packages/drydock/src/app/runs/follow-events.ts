import { hasEnded, type Run, type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { FollowOptions } from "./api.ts";
import type { OnEvents } from "./on-events.ts";
import { requireRun } from "./require-run.ts";

export interface EventFeed {
  /** The same ledger; whatever is written through it reaches followers at once. */
  ledger: Ledger;
  /**
   * A run's events, each once and in order: those on record first, then those to come, until its terminal event or the
   * signal. Rejects with `run.not_found`.
   */
  follow(runId: string, options?: FollowOptions): AsyncGenerator<RunEvent[]>;
  close(): void;
}

/** A process that died has to be noticed by those who wait for its run. */
const RECOVER_MS = 5000;
const RECENT_EVENTS = 1000;
const PAGE = 200;

/**
 * Followers hold no queue: each has a number up to which it has read, and asks for what comes next when it is ready for
 * it. The newest events of a followed run are kept once for all of them; one that fell behind reads from the ledger.
 */
export function createEventFeed(source: Ledger, onEvents?: OnEvents): EventFeed {
  const tails = new Map<string, Tail>();
  const closed = new AbortController();
  const publish = (events: RunEvent[]): RunEvent[] => {
    const [first] = events;
    if (first) tails.get(first.runId)?.take(events);
    onEvents?.(events);
    return events;
  };
  const publishOne = (event: RunEvent): RunEvent => publish([event])[0] ?? event;

  async function join(runId: string): Promise<Tail> {
    const run = await requireRun(source, runId);
    const tail = tails.get(runId) ?? createTail(source, run);
    tails.set(runId, tail);
    tail.followers++;
    return tail;
  }

  function leave(runId: string, tail: Tail): void {
    if (--tail.followers > 0) return;
    tail.stop();
    tails.delete(runId);
  }

  return {
    ledger: {
      ...source,
      append: async (...args) => publish(await source.append(...args)),
      finish: async (...args) => publish(await source.finish(...args)),
      pause: async (...args) => publishOne(await source.pause(...args)),
      resume: async (...args) => publishOne(await source.resume(...args)),
    },
    async *follow(runId, { afterSeq = -1, signal } = {}) {
      const tail = await join(runId);
      const ended = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal;
      const wake = () => tail.wake();
      ended.addEventListener("abort", wake, { once: true });
      let last = afterSeq;
      try {
        while (!ended.aborted) {
          const changed = tail.changed();
          const isOver = tail.isOver();
          const events = await tail.readAfter(last);
          last = events.at(-1)?.seq ?? last;
          if (events.length > 0) yield events;
          else if (isOver) return;
          else await changed;
        }
      } finally {
        ended.removeEventListener("abort", wake);
        leave(runId, tail);
      }
    },
    close: () => closed.abort(),
  };
}

interface Tail {
  followers: number;
  take(events: readonly RunEvent[]): void;
  readAfter(seq: number): Promise<RunEvent[]>;
  /** Resolves with the next change. */
  changed(): Promise<void>;
  wake(): void;
  /** Nothing more is to be expected. */
  isOver(): boolean;
  stop(): void;
}

/** The newest events of one run, kept for all who follow it. */
function createTail(ledger: Ledger, run: Run): Tail {
  /** Without gaps; the first has the number `run.events` or more. */
  let recent: RunEvent[] = [];
  let next = run.events;
  let over = hasEnded(run);
  let isLooking = false;
  let mustLook = false;
  let change = Promise.withResolvers<void>();

  function wake(): void {
    change.resolve();
    change = Promise.withResolvers<void>();
  }

  function take(events: readonly RunEvent[]): void {
    const fresh = events.filter(({ seq }) => seq >= next);
    if (fresh.length === 0) return;
    // What another process wrote in between has to be read first.
    if (fresh[0]?.seq !== next) return void look();
    recent.push(...fresh);
    next += fresh.length;
    if (recent.length > RECENT_EVENTS) recent = recent.slice(-RECENT_EVENTS / 2);
    over ||= fresh.some(({ type }) => TERMINAL_EVENTS.includes(type));
    wake();
  }

  /** What other processes write. Who is woken while it looks looks again. */
  async function look(): Promise<void> {
    mustLook = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (mustLook) {
        mustLook = false;
        const events = await ledger.events(run.id, { afterSeq: next - 1, limit: PAGE });
        take(events);
        mustLook ||= events.length === PAGE;
      }
    } catch {
      // If the ledger can't be read now, the next call tries again; direct readers report the error.
    } finally {
      isLooking = false;
    }
  }

  async function recover(): Promise<void> {
    await ledger.recover().catch(() => []);
    await look();
  }

  const unwatch = over ? undefined : ledger.watch(run.id, () => void look());
  const timer = over ? undefined : setInterval(() => void recover(), RECOVER_MS).unref();
  return {
    followers: 0,
    take,
    async readAfter(seq) {
      const first = recent[0]?.seq ?? next;
      if (seq + 1 >= first) return recent.slice(seq + 1 - first);
      return ledger.events(run.id, { afterSeq: seq, limit: PAGE });
    },
    changed: () => change.promise,
    wake,
    isOver: () => over,
    stop() {
      unwatch?.();
      clearInterval(timer);
    },
  };
}
