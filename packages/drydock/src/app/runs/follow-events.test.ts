import type { RunEvent } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { addEndedRun, openTestLedger } from "../../ledger/testing/open-test-ledger.ts";
import { spawnWriter } from "../../ledger/testing/spawn-writer.ts";
import type { FollowOptions } from "./api.ts";
import { createEventFeed, type EventFeed } from "./follow-events.ts";

const say = (text: string) => ({ type: "output.recorded", data: { text } }) as const;

async function collect(feed: EventFeed, runId: string, options?: FollowOptions): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const page of feed.follow(runId, options)) events.push(...page);
  return events;
}

const numbers = (events: readonly RunEvent[]) => events.map(({ seq }) => seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("following a run's events", () => {
  it("gives those on record, then those to come, and ends with the run", async () => {
    await using place = await openTestLedger();
    const feed = createEventFeed(place.ledger);
    const { id } = await feed.ledger.createRun({ kind: "exec", title: "a", data: {} });
    await feed.ledger.append(id, [say("before")]);
    const whole = collect(feed, id);
    const rest = collect(feed, id, { afterSeq: 1 });
    for (let index = 0; index < 20; index++) await feed.ledger.append(id, [say(`live ${index}`)]);
    await feed.ledger.finish(id, { type: "run.succeeded", data: {} });
    expect(numbers(await whole)).toEqual(upTo(23));
    expect(numbers(await rest)).toEqual(upTo(23).slice(2));
    expect((await whole).at(-1)?.type).toBe("run.succeeded");
  });

  it("gives a follower who reads slowly everything, more than is kept in memory", async () => {
    await using place = await openTestLedger();
    const feed = createEventFeed(place.ledger);
    const { id } = await feed.ledger.createRun({ kind: "exec", title: "a", data: {} });
    const slow = feed.follow(id);
    const first = await slow.next();
    for (let index = 0; index < 40; index++) {
      await feed.ledger.append(
        id,
        upTo(60).map((number) => say(`${number}`)),
      );
    }
    await feed.ledger.finish(id, { type: "run.succeeded", data: {} });
    const read = numbers(first.value as RunEvent[]);
    for await (const page of slow) read.push(...numbers(page));
    expect(read).toEqual(upTo(2402));
  });

  it("sees what another process writes, in between its own", async () => {
    await using place = await openTestLedger();
    const feed = createEventFeed(place.ledger);
    const { id } = await feed.ledger.createRun({ kind: "exec", title: "a", data: {} });
    const followed = collect(feed, id);
    const writer = spawnWriter(place.home, "append", id);
    for (let index = 0; index < 30; index++) await feed.ledger.append(id, [say(`own ${index}`)]);
    await writer.ended;
    await feed.ledger.finish(id, { type: "run.succeeded", data: {} });
    expect(numbers(await followed)).toEqual(upTo(82));
  });

  it("ends at once for a run that has ended, also where nothing is left to tell", async () => {
    await using place = await openTestLedger();
    const feed = createEventFeed(place.ledger);
    const id = await addEndedRun(place.ledger);
    expect(await collect(feed, id)).toHaveLength(4);
    expect(await collect(feed, id, { afterSeq: 3 })).toEqual([]);
  });

  it("ends with the signal and with the feed, and names a run that is not there", async () => {
    await using place = await openTestLedger();
    const feed = createEventFeed(place.ledger);
    const { id } = await feed.ledger.createRun({ kind: "exec", title: "a", data: {} });
    const controller = new AbortController();
    const stopped = collect(feed, id, { signal: controller.signal });
    const waiting = feed.follow(id);
    expect((await waiting.next()).value).toHaveLength(1);
    const further = waiting.next();
    controller.abort();
    await stopped;
    feed.close();
    expect((await further).done).toBe(true);
    await expect(collect(feed, "run_none")).rejects.toMatchObject({ code: "run.not_found" });
  });
});
