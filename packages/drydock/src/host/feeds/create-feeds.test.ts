import type { HostStep } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { createFeeds } from "./create-feeds.ts";

const step = (text: string): HostStep => ({ type: "message.delta", eventId: "evt_1", runId: null, data: { text } });
const texts = (events: readonly { type: string; data: Record<string, unknown> }[]) =>
  events.map(({ type, data }) => (type === "feed.reset" ? type : data.text));
const LIMITS = { events: 3, chars: 100_000, feeds: 2, totalChars: 1_000_000 };

describe("a feed", () => {
  it("gives each event once and in order, also to one who comes back", async () => {
    const feeds = createFeeds();
    const stop = new AbortController();
    const reader = feeds.follow("a", { signal: stop.signal });
    const first = reader.next();
    feeds.publish("a", step("1"));
    feeds.publish("a", step("2"));
    const { value = [] } = await first;
    expect(texts(value)).toEqual(["1", "2"]);
    const again = feeds.follow("a", { after: value[0]?.cursor, signal: stop.signal });
    expect(texts((await again.next()).value ?? [])).toEqual(["2"]);
    const waiting = again.next();
    stop.abort();
    expect((await waiting).done).toBe(true);
  });

  it("says where events are gone: to a slow reader, after a deletion, and for a cursor that it never gave", async () => {
    const feeds = createFeeds(LIMITS);
    feeds.publish("a", step("1"));
    const cursor = feeds.latest("a");
    for (const text of ["2", "3", "4"]) feeds.publish("a", step(text));
    expect(texts(feeds.read("a", cursor))).toEqual(["2", "3", "4"]);
    feeds.publish("a", step("5"));
    expect(texts(feeds.read("a", cursor))).toEqual(["feed.reset", "3", "4", "5"]);
    for (const forged of ["", "x", "000000000000-1", `${cursor.slice(0, 12)}-99`])
      expect(texts(feeds.read("a", forged))[0]).toBe("feed.reset");
    feeds.drop("a");
    feeds.publish("a", step("new"));
    expect(texts(feeds.read("a", cursor))).toEqual(["feed.reset", "new"]);
  });

  it("holds no more than it may, in one conversation and in all", () => {
    const small = createFeeds({ ...LIMITS, chars: 1000 });
    for (const text of ["a", "b", "c"]) small.publish("a", step(text.repeat(400)));
    expect(small.read("a")).toHaveLength(1);
    const few = createFeeds(LIMITS);
    for (const name of ["a", "b", "c"]) few.publish(name, step(name));
    expect([few.read("b"), few.read("c"), few.read("a")].map((events) => events.length)).toEqual([1, 1, 0]);
    const full = createFeeds({ ...LIMITS, feeds: 100, totalChars: 1500 });
    for (const name of ["a", "b", "c"]) full.publish(name, step("x".repeat(300)));
    expect(full.read("c")).toHaveLength(1);
    expect(full.read("a")).toHaveLength(0);
  });
});
