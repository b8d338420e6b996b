import { randomBytes } from "node:crypto";
import type { FeedEvent, HostStep } from "@drydock/protocol";

/**
 * What happens in conversations, for whoever looks on. Each feed keeps its last part in memory, and a reader asks for what
 * comes next: nothing is queued for it. One that comes back, or is too slow, and whose place is no longer kept, is told
 * `feed.reset` and begins at the oldest event that there is.
 */
export interface Feeds {
  publish(conversation: string | null, step: HostStep): void;
  /** The cursor of the newest event. */
  latest(conversation: string): string;
  /** What is kept after a cursor, or all that is kept. */
  read(conversation: string, after?: string): FeedEvent[];
  /** The same, and then what is to come, until the signal. Without a cursor: only what is to come. */
  follow(conversation: string, options: { after?: string; signal: AbortSignal }): AsyncGenerator<FeedEvent[]>;
  drop(conversation: string): void;
}

interface Feed {
  /** Tells this feed from one of the same conversation that was there before. */
  epoch: string;
  first: number;
  events: FeedEvent[];
  chars: number;
  readers: Set<() => void>;
}

interface FeedLimits {
  events: number;
  chars: number;
  feeds: number;
  /** Of all feeds together. */
  totalChars: number;
}

const MIB = 1024 * 1024;
const LIMITS: FeedLimits = { events: 5000, chars: 4 * MIB, feeds: 500, totalChars: 64 * MIB };

export function createFeeds(limits: FeedLimits = LIMITS): Feeds {
  const feeds = new Map<string, Feed>();
  let total = 0;

  const open = (conversation: string): Feed => {
    const known = feeds.get(conversation);
    const feed = known ?? {
      ...{ epoch: randomBytes(6).toString("hex"), first: 1, events: [], chars: 0 },
      readers: new Set<() => void>(),
    };
    // The one that was used last is the last to go.
    feeds.delete(conversation);
    feeds.set(conversation, feed);
    if (!known) makeRoom();
    return feed;
  };
  const forget = (conversation: string) => {
    total -= feeds.get(conversation)?.chars ?? 0;
    feeds.delete(conversation);
  };
  const count = (feed: Feed, chars: number) => {
    feed.chars += chars;
    total += chars;
  };
  const makeRoom = () => {
    for (const [conversation, { readers }] of feeds) {
      if (feeds.size <= limits.feeds && total <= limits.totalChars) return;
      if (readers.size === 0) forget(conversation);
    }
  };
  const read = (feed: Feed, after: string | undefined): FeedEvent[] => {
    if (after === undefined) return [...feed.events];
    const place = findPlace(feed, after);
    return place === null ? [reset(feed), ...feed.events] : feed.events.slice(place - feed.first + 1);
  };

  return {
    publish(conversation, step) {
      if (conversation === null) return;
      const feed = open(conversation);
      const seq = feed.first + feed.events.length;
      const event: FeedEvent = { ...step, cursor: writeCursor(feed, seq), at: new Date().toISOString() };
      feed.events.push(event);
      count(feed, sizeOf(event));
      while (feed.events.length > limits.events || (feed.chars > limits.chars && feed.events.length > 1)) {
        const gone = feed.events.shift();
        feed.first += 1;
        if (gone) count(feed, -sizeOf(gone));
      }
      if (total > limits.totalChars) makeRoom();
      for (const wake of feed.readers) wake();
    },
    latest(conversation) {
      const feed = open(conversation);
      return writeCursor(feed, feed.first + feed.events.length - 1);
    },
    read: (conversation, after) => read(open(conversation), after),
    async *follow(conversation, { after, signal }) {
      let feed = open(conversation);
      let last = after ?? writeCursor(feed, feed.first + feed.events.length - 1);
      while (!signal.aborted) {
        const events = read(feed, last);
        const newest = events.at(-1);
        if (newest) {
          last = newest.cursor;
          yield events;
        } else await nextChange(feed, signal);
        // The conversation may have been deleted meanwhile.
        feed = open(conversation);
      }
    },
    drop(conversation) {
      const feed = feeds.get(conversation);
      forget(conversation);
      for (const wake of feed?.readers ?? []) wake();
    },
  };
}

function writeCursor({ epoch }: Feed, seq: number): string {
  return `${epoch}-${seq}`;
}

/** The number that a cursor stands for; null where the event after it is not kept, or never was. */
function findPlace({ epoch, first, events }: Feed, cursor: string): number | null {
  const [, named, digits] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(cursor) ?? [];
  const seq = Number(digits);
  return named === epoch && seq >= first - 1 && seq < first + events.length ? seq : null;
}

function reset(feed: Feed): FeedEvent {
  const cursor = writeCursor(feed, feed.first - 1);
  return { type: "feed.reset", cursor, at: new Date().toISOString(), eventId: "", runId: null, data: {} };
}

function nextChange({ readers }: Feed, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  readers.add(wake);
  signal.addEventListener("abort", wake, { once: true });
  return promise.finally(() => {
    readers.delete(wake);
    signal.removeEventListener("abort", wake);
  });
}

const OVERHEAD_CHARS = 300;

function sizeOf({ data }: FeedEvent): number {
  return OVERHEAD_CHARS + JSON.stringify(data).length;
}
