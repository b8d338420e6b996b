import { DrydockError, type Run } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";

/** The run of this id. Throws where the ledger has none. */
export async function requireRun(ledger: Pick<Ledger, "getRun">, runId: string): Promise<Run> {
  const run = await ledger.getRun(runId);
  if (run) return run;
  const hint = "`drydock runs list` shows the runs there are. `drydock prune` may have removed it.";
  throw new DrydockError("run.not_found", `There is no run ${runId}.`, hint, { runId });
}
