import { describe, expect, it } from "vitest";
import type { RecordedRun } from "../recorded/recorded-run.ts";
import type { SessionAction, StepAction } from "./read-actions.ts";
import { traceHistory } from "./trace-history.ts";

const record = {} as RecordedRun;
const step = (number: number, isKept = true): SessionAction => ({ kind: "step", number, isKept, record });
const back = (to: number): SessionAction => ({ kind: "rollback", to, record });
const numbers = (path: StepAction[] | null) => path?.map(({ number }) => number) ?? null;

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

  it("goes on in a fork from the state that was copied, without a step that was cancelled", () => {
    const entries = [step(1), step(2), back(1), { kind: "fork", to: 1, record }, { kind: "gap", number: 3, record }];
    const { current, pathTo, states } = traceHistory([...(entries as SessionAction[]), step(4)]);
    expect([current, states, numbers(pathTo(4))]).toEqual([4, [1, 2, 4], [1, 4]]);
  });

  it("is where the last rollback left it", () => {
    expect(traceHistory([step(1), step(2), back(1)]).current).toBe(1);
    expect(traceHistory([]).current).toBe(0);
  });

  it("leads nowhere over steps whose records were deleted", () => {
    const { current, pathTo, states, isWhole } = traceHistory([step(3), step(4), back(0), step(5), back(3), step(6)]);
    expect([current, isWhole, states]).toEqual([6, false, [5]]);
    expect([3, 4, 5, 6, 0].map((to) => numbers(pathTo(to)))).toEqual([null, null, [5], null, []]);
    expect(traceHistory([step(1), step(2)]).isWhole).toBe(true);
  });

  it("does not end in a circle where a record is wrong", () => {
    expect(traceHistory([step(1), back(2), step(2)]).pathTo(2)).toBeNull();
    expect(traceHistory([back(7), step(3)]).pathTo(3)).toBeNull();
  });
});
