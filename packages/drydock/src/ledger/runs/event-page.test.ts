import { EVENT_GROUPS, EVENT_TYPES } from "@drydock/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestLedger, type TestLedger } from "../testing/open-test-ledger.ts";

const COUNT = 45_000;
let place: TestLedger;
let id: string;

beforeAll(async () => {
  place = await openTestLedger();
  id = (await place.ledger.createRun({ kind: "exec", title: "many", data: {} })).id;
  await place.ledger.append(id, [{ type: "network.refused", data: { host: "first" } }]);
  const output = { type: "output.recorded", data: { text: "x" } } as const;
  for (let left = COUNT; left > 0; left -= 5000) {
    await place.ledger.append(
      id,
      Array.from({ length: 5000 }, () => output),
    );
  }
});
afterAll(() => place[Symbol.asyncDispose]());

const seqs = ({ events }: { events: { seq: number }[] }) => [events[0]?.seq, events.at(-1)?.seq, events.length];

describe("pages of a run's events", () => {
  it("begin at either end, and lead on from there without gaps", async () => {
    const { ledger } = place;
    const total = COUNT + 2;
    const first = await ledger.eventPage(id, { limit: 10 });
    expect([seqs(first), first.before, first.after, first.total]).toEqual([[0, 9, 10], null, 9, total]);
    const second = await ledger.eventPage(id, { limit: 10, after: first.after ?? -1 });
    expect([seqs(second), second.before, second.after]).toEqual([[10, 19, 10], 10, 19]);
    const last = await ledger.eventPage(id, { limit: 10, from: "last" });
    expect([seqs(last), last.before, last.after]).toEqual([[total - 10, total - 1, 10], total - 10, null]);
    const earlier = await ledger.eventPage(id, { limit: 10, from: "last", before: last.before ?? 0 });
    expect([seqs(earlier), earlier.after]).toEqual([[total - 20, total - 11, 10], total - 11]);
    const between = await ledger.eventPage(id, { after: 4, before: 8 });
    expect(between.events.map(({ seq }) => seq)).toEqual([5, 6, 7]);
    expect(await ledger.eventPage(id, { after: total })).toMatchObject({ events: [], total, after: null });
  });

  it("of one group look through a part at a time, and get to a rare event in the end", async () => {
    const pages = [];
    let before: number | null | undefined;
    while (before !== null) {
      const page = await place.ledger.eventPage(id, { from: "last", groups: ["network"], before });
      pages.push(page.events.map(({ data }) => data.host));
      before = page.before;
    }
    expect(pages).toEqual([[], [], ["first"]]);
    const forward = await place.ledger.eventPage(id, { groups: ["network"], limit: 1 });
    expect([seqs(forward), forward.after]).toEqual([[1, 1, 1], 1]);
  });

  it("know a group for every type of event", () => {
    expect(Object.keys(EVENT_GROUPS).sort()).toEqual([...EVENT_TYPES].sort());
  });
});
