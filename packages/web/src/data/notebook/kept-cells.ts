import type { Cell } from "./cell.ts";
import type { KeptCell } from "./restore-cells.ts";

/** What this tab keeps of a notebook: the order of its cells, and code that has not run. It ends with the tab. */
export interface KeptNotebook {
  cells: KeptCell[];
  /** Runs that were there: later ones were done elsewhere. */
  known: string[];
}

const keyOf = (id: string) => `drydock.notebook.${id}`;

export function keepCells(id: string, cells: readonly Cell[], known: readonly string[]): void {
  const kept = { cells: cells.map(({ code, runId }) => ({ code, runId })), known };
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(kept));
  } catch {
    // The record has what ran; only what was never run is not kept.
    sessionStorage.removeItem(keyOf(id));
  }
}

export function readKept(id: string): KeptNotebook | null {
  const text = sessionStorage.getItem(keyOf(id));
  if (text === null) return null;
  const { cells, known } = JSON.parse(text) as KeptNotebook;
  return { cells, known };
}
