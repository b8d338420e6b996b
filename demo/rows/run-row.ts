import { findFault, type Outcome, type Row } from "./row.ts";
import { runCommand } from "./run-command.ts";

const TIMEOUT_MS = 60_000;

export interface RowResult {
  /** `works`, `in part: …` or `fails: …`. */
  text: string;
  failed: boolean;
  outcome: Outcome;
}

/** Runs a row's command, compares the outcome with what the row promises, and looks for its gaps. */
export async function runRow(row: Row, model: Record<string, string>): Promise<RowResult> {
  const options = { timeoutMs: TIMEOUT_MS, ...(row.model ? { model } : {}) };
  const outcome = await runCommand(row.command, options);
  const fault = findFault(row.expect, outcome);
  if (fault !== null) return { text: `fails: ${fault}`, failed: true, outcome };
  const missing: string[] = [];
  for (const { what, command, seen } of row.gaps ?? []) {
    const { output } = command === undefined ? outcome : await runCommand(command, options);
    if (seen.test(output)) missing.push(what);
  }
  return { text: missing.length === 0 ? "works" : `in part: ${missing.join("; ")}`, failed: false, outcome };
}
