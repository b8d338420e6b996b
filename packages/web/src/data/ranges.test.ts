import { expect, it } from "vitest";
import { RANGE_NAMES, RANGES, spanOf } from "./ranges.ts";

it.each(RANGE_NAMES)("divides the last %s into whole periods, the newest of which is under way", (range) => {
  const now = new Date("2026-03-05T10:17:23.456Z");
  const { since, until, periods } = spanOf(range, now);
  const { periodMs } = RANGES[range];
  expect(Date.parse(until) - Date.parse(since)).toBe(periods * periodMs);
  expect(Date.parse(until)).toBeGreaterThanOrEqual(now.getTime());
  expect(Date.parse(until) - now.getTime()).toBeLessThan(periodMs);
  // A moment later the chart has not moved.
  expect(spanOf(range, new Date(now.getTime() + 1000)).until).toBe(until);
});
