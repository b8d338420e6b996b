import { describe, expect, it } from "vitest";
import { type TracedRollback, type TracedStep, traceHistory } from "./trace-history.ts";

const step = (number: number, isKept = true): TracedStep => ({ kind: "step", step: number, isKept });
const back = (to: number): TracedRollback => ({ kind: "rollback", to });
const numbers = (path: TracedStep[] | null) => path?.map((each) => each.step) ?? null;

describe("the history of a session", () => {
  it("leads through each step in order", () => {
    const { current, pathTo, states } = traceHistory([step(1), step(2), step(3)]);
    expect(current).toBe(3);
    expect(states).toEqual([1, 2, 3]);
    expect([0, 1, 3].map((to) => numbers(pathTo(to)))).toEqual([[], [1], [1, 2, 3]]);
  });

  it("leaves out steps that were undone, and has no state for them", () => {
    const { current, pathTo } = traceHistory([step(1), step(2, false), step(3), step(4, false)]);
    expect(current).toBe(3);
    expect(numbers(pathTo(3))).toEqual([1, 3]);
    expect([pathTo(2), pathTo(4), pathTo(9)]).toEqual([null, null, null]);
  });

  it("follows rollbacks, and still knows what was rolled back", () => {
    const entries = [step(1), step(2), step(3), back(1), step(4), back(3), step(5), back(0), step(6)];
    const { current, pathTo } = traceHistory(entries);
    expect(current).toBe(6);
    expect(numbers(pathTo(4))).toEqual([1, 4]);
    expect(numbers(pathTo(3))).toEqual([1, 2, 3]);
    expect(numbers(pathTo(5))).toEqual([1, 2, 3, 5]);
    expect(numbers(pathTo(6))).toEqual([6]);
  });

  it("is where the last rollback left it", () => {
    expect(traceHistory([step(1), step(2), back(1)]).current).toBe(1);
    expect(traceHistory([]).current).toBe(0);
  });

  it("does not end in a circle where a record is wrong", () => {
    expect(traceHistory([step(1), back(2), step(2)]).pathTo(2)).toBeNull();
    expect(traceHistory([back(7), step(3)]).pathTo(3)).toBeNull();
  });
});
