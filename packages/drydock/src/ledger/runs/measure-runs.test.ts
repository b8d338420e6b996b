import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestLedger, type TestLedger } from "../testing/open-test-ledger.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
let place: TestLedger;
let minute = 0;

beforeAll(async () => {
  place = await openTestLedger({ now: () => at(minute) });
  const { ledger } = place;
  const run = async (started: number, ended: number | null, end: Parameters<typeof ledger.finish>[1]) => {
    minute = started;
    const { id } = await ledger.createRun({ kind: "goal", title: "a goal", workspace: null, data: { request: {} } });
    if (ended === null) return id;
    minute = ended;
    await ledger.finish(id, end);
    return id;
  };
  const usage = { calls: 1, inputTokens: 900, outputTokens: 100, costUsd: 0.25 };
  const succeeded = { type: "run.succeeded", data: { verdict: "unverified", usage } } as const;
  const failed = (code: string) => ({ type: "run.failed", data: { error: { code } } }) as const;
  await run(1, 2, succeeded);
  await run(2, 6, succeeded);
  await run(3, 4, failed("limit.timeout"));
  await run(31, 41, failed("limit.timeout"));
  await run(32, 33, failed("code.exit"));
  await run(33, null, succeeded);
  // Outside of the time that is asked for.
  await run(61, 62, failed("internal"));
  minute = 65;
});
afterAll(() => place[Symbol.asyncDispose]());

const hour = { since: at(0).toISOString(), until: at(60).toISOString() };

describe("runs over time", () => {
  it("belong to the period in which they were started, with how they ended, how long they took and what they cost", async () => {
    const { periods, periodMs, complete } = await place.ledger.measureRuns({ ...hour, periods: 3 });
    expect([periodMs, complete]).toEqual([20 * 60_000, true]);
    expect(periods).toEqual([
      {
        ...{ at: at(0).toISOString(), started: 3, succeeded: 2, failed: 1 },
        ...{ medianMs: 60_000, p95Ms: 240_000, costUsd: 0.5, tokens: 2000 },
      },
      {
        ...{ at: at(20).toISOString(), started: 3, succeeded: 0, failed: 2 },
        ...{ medianMs: 60_000, p95Ms: 600_000, costUsd: 0, tokens: 0 },
      },
      {
        ...{ at: at(40).toISOString(), started: 0, succeeded: 0, failed: 0 },
        ...{ medianMs: null, p95Ms: null, costUsd: 0, tokens: 0 },
      },
    ]);
  });

  it("say what they failed with, the most frequent first", async () => {
    const { failures } = await place.ledger.measureRuns(hour);
    expect(failures.map(({ errorCode, runs }) => [errorCode, runs])).toEqual([
      ["limit.timeout", 2],
      ["code.exit", 1],
    ]);
    const newest = await place.ledger.getRun(failures[0]?.lastRunId ?? "");
    expect(newest?.createdAt).toBe(at(31).toISOString());
  });

  it("of the last day are shown where nothing else is asked for", async () => {
    const { since, until, periods } = await place.ledger.measureRuns();
    expect([until, Date.parse(until) - Date.parse(since), periods.length]).toEqual([
      at(65).toISOString(),
      86_400_000,
      48,
    ]);
    expect(periods.reduce((sum, { started }) => sum + started, 0)).toBe(7);
  });

  it.each([
    [{ periods: 0 }],
    [{ periods: 201 }],
    [{ since: "yesterday" }],
    [{ since: at(10).toISOString(), until: at(10).toISOString() }],
  ])("are refused for %j", async (options) => {
    await expect(place.ledger.measureRuns(options)).rejects.toMatchObject({ code: "input.invalid" });
  });
});
