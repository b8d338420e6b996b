/** A step of a session, as its record has it. */
export interface TracedStep {
  kind: "step";
  step: number;
  /** Whether the state after it became the session's: a step that failed is undone. */
  isKept: boolean;
}

/** A return to the state after an earlier step. */
export interface TracedRollback {
  kind: "rollback";
  to: number;
}

export interface SessionHistory<T extends TracedStep> {
  /** The step whose state is the session's now; 0: no step's. */
  current: number;
  /** The steps that lead from a new session to the state after step `to`, in order; null where there never was that state. */
  pathTo(to: number): T[] | null;
  /** All steps that left a state, in order. */
  states: number[];
}

/**
 * Which steps lead to which state, from what happened in a session, in order. A step starts from the state that is the session's at
 * that moment: the one before it, or the one that a rollback returned to.
 *
 *     1 2 3, back to 1, 4 5    the state after 5 is that of 1 4 5, the state after 3 still that of 1 2 3
 */
export function traceHistory<T extends TracedStep>(entries: readonly (T | TracedRollback)[]): SessionHistory<T> {
  const made = new Map<number, { entry: T; from: number }>();
  let current = 0;
  for (const entry of entries) {
    if (entry.kind === "rollback") current = entry.to;
    else if (entry.isKept) {
      made.set(entry.step, { entry, from: current });
      current = entry.step;
    }
  }

  function pathTo(to: number): T[] | null {
    const path: T[] = [];
    for (let at = to; at !== 0; ) {
      const found = made.get(at);
      // Each step comes after the state that it starts from: a record that says otherwise leads nowhere.
      if (!found || found.from >= at) return null;
      path.unshift(found.entry);
      at = found.from;
    }
    return path;
  }

  return { current, pathTo, states: [...made.keys()] };
}
