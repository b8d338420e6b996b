import { expect, it } from "vitest";
import { runMixedLoad } from "./testing/mixed-load.ts";

const SECONDS = 10;
const MIB = 1024 * 1024;

it("mixed load with faults: all is answered as it should be, nothing is lost, nothing is left", async () => {
  const { wrong, calls, faults, kills, followed, before, after, exit, left } = await runMixedLoad(SECONDS);
  expect(wrong).toEqual([]);
  expect({ exit, left }).toEqual({ exit: 0, left: 0 });
  expect(calls).toBeGreaterThan(SECONDS * 10);
  for (const count of [faults, kills, followed]) expect(count).toBeGreaterThan(3);
  expect(after.heapBytes).toBeLessThan(before.heapBytes + 16 * MIB);
  // Idle connections and waiting members come and go; what leaks does so with each of the calls, of which there are many more.
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 64);
}, 300_000);
