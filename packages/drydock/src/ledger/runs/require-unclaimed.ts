import { hasEnded } from "@drydock/protocol";
import type { LedgerTransaction } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";
import { requireRun } from "./find-run.ts";
import { requireHolder } from "./run-state.ts";

/** For who stores files of a run: no other worker has claimed it. */
export async function requireUnclaimed(context: LedgerContext, trx: LedgerTransaction, runId: string): Promise<void> {
  const run = await requireRun(trx, runId);
  const claim = context.claims.get(runId);
  if (!hasEnded(run) && (run.fence > 0 || claim !== undefined)) requireHolder(run, context.owner, claim);
}
