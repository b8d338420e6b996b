import { expect, test } from "vitest";
import { createIdSource } from "./create-id-source.ts";

test("ids of one source are unique and sort in the order they were made, whatever the clock does", () => {
  const clock = [1000, 1000, 1001, 5, 5, 900, 2 ** 41, 3, 2 ** 41 + 1, 0];
  let tick = 0;
  const newId = createIdSource(() => new Date(clock[tick++ % clock.length] ?? 0));
  const ids = Array.from({ length: 5000 }, () => newId("run"));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[0]).toMatch(/^run_[0-9a-hjkmnp-tv-z]{26}$/);
});

test("ids of different sources sort by time", () => {
  const early = createIdSource(() => new Date("2026-01-01T00:00:00Z"));
  const late = createIdSource(() => new Date("2026-01-01T00:00:00.001Z"));
  const lateId = late("run");
  expect(early("run") < lateId).toBe(true);
});
