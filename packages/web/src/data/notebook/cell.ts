import { type Execution, NOT_RUN } from "../execution.ts";

/** One piece of a notebook: its code, and what came of it the last time. */
export interface Cell extends Execution {
  key: string;
  code: string;
  /** The code that `step` ran; another one was written since where it differs from `code`. */
  ranCode: string | null;
  /** Null until it has run. */
  step: number | null;
  isTerminal: boolean;
}

let count = 0;

export function createCell(code = ""): Cell {
  count += 1;
  return { ...NOT_RUN, key: `cell-${count}`, code, ranCode: null, step: null, isTerminal: false };
}
