import type { SessionAction, StepAction } from "./read-actions.ts";

export interface SessionHistory {
  /** The step whose state is the session's now; 0: no step's. */
  current: number;
  /** The steps that lead from a new session to the state after step `to`, in order; null where there never was that state. */
  pathTo(to: number): StepAction[] | null;
  /** All steps that left a state to which a path leads, in order. */
  states: number[];
  /** False where records of the session were deleted: no path leads over what is missing. */
  isWhole: boolean;
  /** The highest number of a step that is on record. */
  last: number;
}

/** No step's number: what a step started from whose predecessors have no record any more. */
const UNKNOWN = -1;

/**
 * Which steps lead to which state, from what happened in a session, in order. A step starts from the state that is the session's at
 * that moment: the one before it, or the one that a rollback returned to.
 *
 *     1 2 3, back to 1, 4 5    the state after 5 is that of 1 4 5, the state after 3 still that of 1 2 3
 */
export function traceHistory(actions: readonly SessionAction[]): SessionHistory {
  const made = new Map<number, { action: StepAction; from: number }>();
  let current = 0;
  let last = 0;
  let isWhole = true;
  for (const action of actions) {
    if ("number" in action) {
      if (action.number > last + 1) {
        isWhole = false;
        current = UNKNOWN;
      }
      last = Math.max(last, action.number);
    }
    if (action.kind === "rollback" || action.kind === "fork") current = action.to;
    else if (action.kind === "step" && action.isKept) {
      made.set(action.number, { action, from: current });
      current = action.number;
    }
  }

  function pathTo(to: number): StepAction[] | null {
    const path: StepAction[] = [];
    for (let at = to; at !== 0; ) {
      const found = made.get(at);
      // Each step comes after the state that it starts from: a record that says otherwise leads nowhere.
      if (!found || found.from >= at) return null;
      path.unshift(found.action);
      at = found.from;
    }
    return path;
  }

  return { current, pathTo, states: [...made.keys()].filter((step) => pathTo(step) !== null), isWhole, last };
}
