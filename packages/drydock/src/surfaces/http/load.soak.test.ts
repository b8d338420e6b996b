import { expect, it } from "vitest";
import { runMixedLoad } from "./testing/mixed-load.ts";

const SECONDS = 600;
const MIB = 1024 * 1024;

it("ten minutes of mixed load with faults leave memory flat and nothing lost", async () => {
  const report = await runMixedLoad(SECONDS, console.log);
  const { wrong, calls, kills, before, after, exit, left } = report;
  console.log(JSON.stringify(report));
  expect(wrong).toEqual([]);
  expect({ exit, left }).toEqual({ exit: 0, left: 0 });
  expect(calls).toBeGreaterThan(SECONDS * 5);
  expect(kills).toBeGreaterThan(SECONDS / 20);
  expect(after.heapBytes).toBeLessThan(before.heapBytes * 1.1 + 4 * MIB);
  expect(after.rssBytes).toBeLessThan(before.rssBytes * 1.15 + 24 * MIB);
  // Idle connections and waiting members come and go; what leaks does so with each of the calls, of which there are many more.
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 64);
});
