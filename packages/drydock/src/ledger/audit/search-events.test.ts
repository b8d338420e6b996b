import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestLedger, type TestLedger } from "../testing/open-test-ledger.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
let place: TestLedger;
let minute = 0;
const ids: string[] = [];

beforeAll(async () => {
  place = await openTestLedger({ now: () => at(minute) });
  const { ledger } = place;
  for (const [index, title] of ["first", "second", "third"].entries()) {
    minute = index * 10;
    const { id } = await ledger.createRun({ kind: "exec", title, workspace: "/w", data: { policy: { version: 1 } } });
    await ledger.append(id, [
      { type: "output.recorded", data: { stream: "stdout", text: `${title} says 100% Äpfel_1` } },
      { type: "output.recorded", data: { stream: "stderr", text: `${"x".repeat(400)} needle ${"y".repeat(400)}` } },
    ]);
    minute += 1;
    await ledger.finish(id, { type: "run.succeeded", data: { verdict: "unverified", treeHash: null } });
    ids.push(id);
  }
});
afterAll(() => place[Symbol.asyncDispose]());

const find = async (options: Parameters<TestLedger["ledger"]["searchEvents"]>[0]) => {
  const { events, cursor } = await place.ledger.searchEvents(options);
  return { found: events.map(({ title, seq }) => `${title} ${seq}`), cursor };
};

describe("a search for events", () => {
  it("gives those of the newest run first, of one run the last first, page by page, each once", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find({ limit: 5, cursor });
      seen.push(...page.found);
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(["third", "second", "first"].flatMap((title) => [3, 2, 1, 0].map((seq) => `${title} ${seq}`)));
  });

  it.each([
    [{ text: "SECOND says" }, ["second 1"]],
    [{ text: "100%" }, ["third 1", "second 1", "first 1"]],
    [{ text: "_1 third" }, ["third 1"]],
    [{ text: "1%Ä" }, []],
    [{ text: "run.succeeded" }, ["third 3", "second 3", "first 3"]],
    [{ groups: ["run"] as const, since: at(11).toISOString(), until: at(21).toISOString() }, ["third 0", "second 3"]],
    [{ until: at(1).toISOString() }, ["first 2", "first 1", "first 0"]],
  ])("finds by %j", async (options, expected) => {
    expect((await find(options)).found).toEqual(expected);
  });

  it("finds by the id of a run, and shows what stands around the word", async () => {
    expect((await find({ text: ids[0], groups: ["output"] })).found).toEqual(["first 2", "first 1"]);
    const [event] = (await place.ledger.searchEvents({ text: "NEEDLE" })).events;
    expect(event?.excerpt).toMatch(/^…x+ needle y+…$/);
    expect(event).toMatchObject({ runId: ids[2], kind: "exec", type: "output.recorded", at: at(20).toISOString() });
  });

  it.each([[{ cursor: "nonsense" }], [{ limit: 201 }], [{ since: "soon" }]])("refuses %j", async (options) => {
    await expect(place.ledger.searchEvents(options)).rejects.toMatchObject({ code: "input.invalid" });
  });
});
