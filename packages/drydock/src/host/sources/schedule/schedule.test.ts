import type { SendResult } from "@drydock/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../base/testing/eventually.ts";
import type { SourceContext, SourceEvent } from "../adapter.ts";
import { findTimes } from "./find-times.ts";
import { scheduleProgram } from "./schedule-program.ts";
import { ScheduleSettings } from "./schedule-type.ts";

const at = (text: string) => Date.parse(text);
const iso = (ms: number | null) => ms && new Date(ms).toISOString();

describe("times of a cron expression", () => {
  const list = (cron: string, timezone: string, after: string, count: number) => {
    const times = findTimes({ cron, timezone });
    const found: (string | 0 | null)[] = [];
    for (let ms: number | null = at(after); found.length < count && ms !== null; ) {
      ms = times.next(ms);
      found.push(iso(ms));
    }
    return found;
  };

  it("are those of its time zone, in summer and in winter", () => {
    expect(list("0 9 * * 1-5", "Europe/Berlin", "2026-03-27T00:00:00Z", 3)).toEqual([
      ...["2026-03-27T08:00:00.000Z", "2026-03-30T07:00:00.000Z", "2026-03-31T07:00:00.000Z"],
    ]);
    expect(list("0 9 * * *", "Asia/Tokyo", "2026-03-27T00:00:00Z", 1)).toEqual(["2026-03-28T00:00:00.000Z"]);
  });

  it("in the hour that is skipped come right after it, once", () => {
    // On this day the clock goes from 2:00 to 3:00, at 1:00 UTC.
    expect(list("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2)).toEqual([
      ...["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"],
    ]);
  });

  it("in the hour that comes twice come once; those of every half hour go on through both", () => {
    // On this day 2:00 to 3:00 comes twice: from 0:00 and from 1:00 UTC.
    expect(list("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual([
      ...["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"],
    ]);
    expect(list("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:10:00Z", 4)).toEqual([
      ...["2026-10-25T00:30:00.000Z", "2026-10-25T01:00:00.000Z"],
      ...["2026-10-25T01:30:00.000Z", "2026-10-25T02:00:00.000Z"],
    ]);
  });

  it.each([
    ["no expression", "hello", "UTC", /can't be read/],
    ["a minute that does not exist", "61 * * * *", "UTC", /can't be read/],
    ["a day that never comes", "0 0 30 2 *", "UTC", /never fires/],
    ["a time zone that does not exist", "0 0 * * *", "Mars/Olympus", /no time zone Mars/],
  ])("are refused where there are none: %s", (_name, cron, timezone, message) => {
    expect(() => findTimes({ cron, timezone })).toThrow(message);
  });
});

/** A schedule with a clock that stands still, unless a test sets it. */
function open(settings: object, { mark, now }: { mark: string; now: string }) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const events: SourceEvent[] = [];
  const problems: (string | null)[] = [];
  const values = new Map<string, string>([["fired-until", String(at(mark))]]);
  const clock = { ms: at(now) };
  let running: Promise<null> = Promise.resolve(null);
  const context: SourceContext<ReturnType<typeof ScheduleSettings.parse>> = {
    ...{ name: "nightly", settings: ScheduleSettings.parse(settings), secrets: {}, changedAtMs: 0 },
    signal: stop.signal,
    async emit(event) {
      events.push(event);
      return { eventId: `evt_${events.length}`, kind: "accepted", done: running };
    },
    refuse: () => {},
    report: (problem) => void problems.push(problem),
    run: (work) => void work(),
    values: {
      get: async (key) => values.get(key) ?? null,
      set: async (key, value) => void values.set(key, value),
      delete: async (key) => void values.delete(key),
    },
    now: () => clock.ms,
  };
  const told = () => events.map(({ id, data = {} }) => [id, data.missed]);
  return {
    ...{ context, events, problems, values, clock, told },
    hang: () => {
      running = new Promise(() => {});
    },
    start: () => scheduleProgram.start(context),
    settled: () => eventually(() => values.get("fired-until") === String(clock.ms)),
  };
}

describe("a schedule that did not run for three days", () => {
  const DOWN = { mark: "2026-05-01T12:00:00Z", now: "2026-05-04T12:00:00Z" };
  const daily = { cron: "0 9 * * *", text: "Report." };

  it.each([
    ["skip", []],
    ["once", [["2026-05-04T09:00:00.000Z", 3]]],
    ["all", ["2026-05-02T09:00:00.000Z", "2026-05-03T09:00:00.000Z", "2026-05-04T09:00:00.000Z"].map((id) => [id, 1])],
  ])("does with what it missed as it is told: %s", async (missed, expected) => {
    const place = open({ ...daily, missed }, DOWN);
    await place.start();
    expect(await place.settled()).toBe(true);
    expect(place.told()).toEqual(expected);
  });

  it("catches up a hundred times at most, and says that there were more", async () => {
    const place = open({ cron: "3-59/5 * * * *", missed: "all" }, DOWN);
    await place.start();
    expect(await place.settled()).toBe(true);
    expect(place.events).toHaveLength(100);
    expect(place.events.at(-1)?.data).toMatchObject({ more_missed: true });
  });

  it("misses nothing from before it was changed or switched on", async () => {
    const place = open({ ...daily, missed: "all" }, DOWN);
    await scheduleProgram.start({ ...place.context, changedAtMs: at("2026-05-03T20:00:00Z") });
    expect(await place.settled()).toBe(true);
    expect(place.told()).toEqual([["2026-05-04T09:00:00.000Z", 1]]);
  });

  it("is late and not missed where it is only seconds ago, and fires the same event again where it went down before it said so", async () => {
    const now = "2026-05-04T09:00:20Z";
    for (let starts = 0; starts < 2; starts++) {
      const place = open(daily, { mark: "2026-05-04T08:59:00Z", now });
      await place.start();
      expect(await place.settled()).toBe(true);
      expect(place.events).toMatchObject([
        { id: "2026-05-04T09:00:00.000Z", type: "schedule.fired", text: "Report.", data: { missed: 0 } },
      ]);
    }
  });
});

describe("a schedule", () => {
  it("whose run is still under way is left out, and says so; or runs as well where that is wanted", async () => {
    for (const overlap of ["skip", "run"] as const) {
      const place = open(
        { cron: "* * * * * *", overlap },
        { mark: "2026-05-04T09:00:00Z", now: "2026-05-04T09:00:03Z" },
      );
      place.hang();
      await place.start();
      expect(await place.settled()).toBe(true);
      expect(place.events).toHaveLength(overlap === "skip" ? 1 : 3);
      expect(place.problems.filter((problem) => problem?.includes("still under way"))).toHaveLength(
        overlap === "skip" ? 2 : 0,
      );
    }
  });

  it("goes on as its clock goes on, and fires nothing again when the clock is set back", async () => {
    const place = open({ cron: "* * * * * *" }, { mark: "2026-05-04T09:00:00Z", now: "2026-05-04T09:00:00Z" });
    await place.start();
    place.clock.ms += 1000;
    expect(await eventually(() => place.events.length === 1)).toBe(true);
    place.clock.ms -= 1000;
    place.clock.ms += 1000;
    place.clock.ms += 1000;
    expect(await eventually(() => place.events.length === 2)).toBe(true);
    expect(place.told().map(([id]) => id)).toEqual(["2026-05-04T09:00:01.000Z", "2026-05-04T09:00:02.000Z"]);
  });
});

it("a trial says that the agent's run failed, and why", async () => {
  const { context } = open({ cron: "0 9 * * *" }, { mark: "2026-05-04T12:00:00Z", now: "2026-05-04T12:00:00Z" });
  const error = { code: "runner.failed", message: "The agent has no model to ask.", hint: "" };
  const done = Promise.resolve({ eventId: "evt_1", kind: "answered", runId: "run_1", ok: false, error } as SendResult);
  const emit = async () => ({ eventId: "evt_1", kind: "accepted" as const, done });
  expect(await scheduleProgram.test?.({ ...context, emit })).toBe(
    "It fired once: evt_1 was taken by run_1, which failed: The agent has no model to ask. The next time is 2026-05-05T09:00:00.000Z.",
  );
});
