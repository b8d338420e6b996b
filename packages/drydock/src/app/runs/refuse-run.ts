import { DrydockError, type ExecResult, internalError } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { refusedOutcome } from "../../sandbox/index.ts";

/** Ends a run that never started, and returns its result. */
export async function refuseRun(ledger: Ledger, runId: string, refusal: DrydockError): Promise<ExecResult> {
  const { error, usage, sandbox, notes } = refusedOutcome(refusal);
  const type = refusal.code === "run.cancelled" ? "run.cancelled" : "run.failed";
  await ledger.finish(runId, { type, data: { error, usage, sandbox, treeHash: null, notes } });
  const nothing = { stdout: "", stderr: "", result: null, artifacts: [], changes: [], treeHash: "" };
  return { ok: false, runId, ...nothing, error, usage, sandbox, notes };
}

/** An unexpected error as one that users understand. */
export function asDrydockError(error: unknown): DrydockError {
  return error instanceof DrydockError ? error : internalError(error);
}
