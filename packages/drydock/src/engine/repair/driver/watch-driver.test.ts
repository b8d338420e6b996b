import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Trial } from "../workshop.ts";
import { watchDriver } from "./watch-driver.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MS = 1000;
const PATIENCE = { silentMs: MS, mostMs: 10 * MS };

test("a program that has begun and says nothing any more is ended", () => {
  const watched = watchDriver(undefined, {}, PATIENCE);
  watched.take('{"begun":1}\n');
  vi.advanceTimersByTime(MS - 1);
  watched.take('{"beat":true}\n');
  vi.advanceTimersByTime(MS - 1);
  expect(watched.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(watched.signal.aborted).toBe(true);
  expect(watched.text()).toBe('{"begun":1}\n{"beat":true}');
});

test("a program that goes on saying that it goes on is ended", () => {
  const watched = watchDriver(undefined, {}, PATIENCE);
  watched.take('{"begun":1}\n');
  for (let turn = 0; turn < 19; turn++) {
    vi.advanceTimersByTime(MS / 2);
    watched.take('{"beat":true}\n');
  }
  expect(watched.signal.aborted).toBe(false);
  vi.advanceTimersByTime(MS / 2);
  expect(watched.signal.aborted).toBe(true);
  watched.end();
});

test("a program that loads the tests has all the time of its sandbox", () => {
  const watched = watchDriver(undefined, {}, PATIENCE);
  vi.advanceTimersByTime(100 * MS);
  expect(watched.signal.aborted).toBe(false);
});

test("one that has ended is not waited for", () => {
  const watched = watchDriver(undefined, {}, PATIENCE);
  watched.take('{"begun":1}\n');
  watched.end();
  expect(vi.getTimerCount()).toBe(0);
});

test("trials are told when they are known, however their lines are cut", () => {
  const trials: Trial[] = [];
  const watched = watchDriver(undefined, { onTrial: (trial) => void trials.push(trial) }, PATIENCE);
  const lines = '{"begun":1}\n{"candidate":1,"fixed":2,"failing":0,"late":false}\n{"begun":2}\n';
  for (const char of lines) watched.take(char);
  expect(trials).toEqual([{ id: 1, fixed: 2, failing: 0, isLate: false }]);
  watched.end();
});

test.each(["the caller's signal", "its own"])("it ends with %s", (which) => {
  const [caller, stop] = [new AbortController(), new AbortController()];
  const watched = watchDriver(caller.signal, { stop: stop.signal }, PATIENCE);
  (which === "its own" ? stop : caller).abort();
  expect(watched.signal.aborted).toBe(true);
});
