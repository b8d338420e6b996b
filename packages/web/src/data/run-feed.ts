import type { DrydockError } from "@drydock/client";
import { EVENT_GROUPS, type EventGroup, type EventPage, type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import { client, statusOf, toError } from "./client.ts";
import { readEvents } from "./queries.ts";

/*
 * What happened in a run, in two views. The facts are the events that the plan, the checks and the result are made of: all
 * of them. The window is the part of the timeline that somebody looks at: a run may have more events than a page can hold,
 * so that it begins at one end and grows towards the other. While the run is under way, new events follow from the number
 * after the last one that was read. Where the connection breaks, it is made again from there: nothing is missed.
 */
const FACT_GROUPS: readonly EventGroup[] = ["run", "plan", "work", "check", "approval", "files", "output"];
const PAGE = 1000;
const WINDOW_PAGE = 300;
/** A plan with more facts than this is shown as far as they go. */
const MOST_FACT_PAGES = 20;
/** Events that come in quick succession are shown together. */
const GATHER_MS = 100;
const SETTLING_MS = [200, 1000, 3000, 10_000];
const PAUSES_MS = [500, 1000, 2000, 5000, 10_000];

export interface FeedState {
  facts: readonly RunEvent[];
  window: readonly RunEvent[];
  /** There are events before the window, and after it. */
  hasEarlier: boolean;
  hasLater: boolean;
  /** How many events the run has. */
  total: number;
  groups: readonly EventGroup[];
  state: "loading" | "live" | "waiting" | "ended" | "failed";
  error: DrydockError | null;
}

const EMPTY: FeedState = {
  ...{ facts: [], window: [], hasEarlier: false, hasLater: false, total: 0, groups: [] },
  ...{ state: "loading", error: null },
};

export interface RunFeed {
  subscribe(listener: () => void): () => void;
  get(): FeedState;
  /** Begins to read, and follows until it is stopped. */
  start(): () => void;
  /** Reads the facts again: what becomes of the changes of a run is recorded after its end. */
  refresh(): Promise<void>;
  loadEarlier(): Promise<void>;
  loadLater(): Promise<void>;
  /** Shows the timeline from one end, or around an event, or only some groups of it. */
  show(options: ShowOptions): Promise<void>;
}

interface ShowOptions {
  from: "first" | "last" | { around: number };
  groups?: readonly EventGroup[];
}

export function createRunFeed(id: string): RunFeed {
  let state = EMPTY;
  let stopped = new AbortController();
  let waiting: RunEvent[] = [];
  let timer: number | undefined;
  let isLoading = false;
  const listeners = new Set<() => void>();
  const set = (change: Partial<FeedState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };

  async function show({ from, groups = state.groups }: ShowOptions): Promise<void> {
    const chosen = groups.length === 0 ? undefined : groups;
    const where = typeof from === "string" ? { from } : { after: Math.max(-1, from.around - WINDOW_PAGE / 2) };
    showPage(await readEvents(id, { ...where, limit: WINDOW_PAGE, groups: chosen }, stopped.signal), groups);
  }

  function showPage({ events, before, after, total }: EventPage, groups: readonly EventGroup[]): void {
    const edges = { hasEarlier: before !== null, hasLater: after !== null };
    set({ groups, window: events, ...edges, total: Math.max(total, state.total) });
  }

  async function extend(side: "earlier" | "later"): Promise<void> {
    const edge = side === "earlier" ? state.window[0] : state.window.at(-1);
    if (isLoading || !edge || !(side === "earlier" ? state.hasEarlier : state.hasLater)) return;
    isLoading = true;
    try {
      const { groups } = state;
      const where = side === "earlier" ? ({ from: "last", before: edge.seq } as const) : { after: edge.seq };
      const chosen = groups.length === 0 ? undefined : groups;
      const page = await readEvents(id, { ...where, limit: WINDOW_PAGE, groups: chosen }, stopped.signal);
      if (groups !== state.groups) return;
      if (side === "earlier") set({ window: [...page.events, ...state.window], hasEarlier: page.before !== null });
      else set({ window: [...state.window, ...page.events], hasLater: page.after !== null });
    } finally {
      isLoading = false;
    }
  }

  function take(events: readonly RunEvent[]): void {
    const [last] = events.slice(-1);
    if (!last) return;
    const fits = ({ type }: RunEvent) => state.groups.length === 0 || state.groups.includes(EVENT_GROUPS[type]);
    const isFact = ({ type }: RunEvent) => FACT_GROUPS.includes(EVENT_GROUPS[type]);
    set({
      facts: [...state.facts, ...events.filter(isFact)],
      window: state.hasLater ? state.window : [...state.window, ...events.filter(fits)],
      total: Math.max(state.total, last.seq + 1),
      state: events.some(({ type }) => TERMINAL_EVENTS.includes(type)) ? "ended" : "live",
    });
  }

  function gather(event: RunEvent): void {
    waiting.push(event);
    timer ??= window.setTimeout(flush, GATHER_MS);
  }

  function flush(): void {
    window.clearTimeout(timer);
    timer = undefined;
    take(waiting.splice(0));
  }

  /** Each page is shown as it comes: a run may have more facts than are read in the blink of an eye. */
  async function readFacts(signal: AbortSignal, last = Number.POSITIVE_INFINITY): Promise<void> {
    const facts: RunEvent[] = [];
    let after: number | undefined;
    for (let page = 0; page < MOST_FACT_PAGES; page++) {
      const read = await readEvents(id, { after, limit: PAGE, groups: FACT_GROUPS }, signal);
      facts.push(...read.events.filter(({ seq }) => seq <= last));
      if (facts.length >= state.facts.length || read.after === null) set({ facts: [...facts] });
      if (read.after === null || read.after >= last) return;
      after = read.after;
    }
  }

  async function read(signal: AbortSignal): Promise<void> {
    const newest = await readEvents(id, { from: "last", limit: WINDOW_PAGE }, signal);
    const isOver = newest.events.some(({ type }) => TERMINAL_EVENTS.includes(type));
    if (isOver) {
      await Promise.all([show({ from: "first" }), readFacts(signal)]);
      return set({ state: "ended" });
    }
    // What came since then is followed, and would be there twice.
    let seen = newest.total - 1;
    showPage(newest, state.groups);
    await readFacts(signal, seen);
    set({ state: "live" });
    for (let failures = 0; !signal.aborted; ) {
      try {
        for await (const event of client.runs.follow(id, { afterSeq: seen, signal })) {
          seen = event.seq;
          failures = 0;
          gather(event);
        }
        flush();
        if (state.state === "ended") return settle(signal);
        if (signal.aborted) return;
      } catch (error) {
        if (statusOf(error) !== null) throw error;
        set({ state: "waiting" });
      }
      await pause(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)] ?? 0, signal);
    }
  }

  async function refresh(): Promise<void> {
    await readFacts(stopped.signal);
    await show({ from: state.hasLater ? "first" : "last" });
  }

  /** A delivery comes a moment after the end that the stream ends with. */
  async function settle(signal: AbortSignal): Promise<void> {
    const isDelivered = () => state.facts.some(({ type }) => type === "layer.applied");
    const mayDeliver = () => Object(state.facts[0]?.data.request).apply === "auto" && !isDelivered();
    for (const ms of SETTLING_MS) {
      if (!mayDeliver()) return;
      await pause(ms, signal);
      if (signal.aborted) return;
      await refresh();
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => state,
    start() {
      stopped.abort();
      stopped = new AbortController();
      const { signal } = stopped;
      waiting = [];
      set(EMPTY);
      read(signal).catch((error: unknown) => {
        if (!signal.aborted) set({ state: "failed", error: toError(error) });
      });
      return () => {
        stopped.abort();
        window.clearTimeout(timer);
        timer = undefined;
      };
    },
    show,
    refresh,
    loadEarlier: () => extend("earlier"),
    loadLater: () => extend("later"),
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = window.setTimeout(done, ms);
    const stop = () => {
      window.clearTimeout(timer);
      done();
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
