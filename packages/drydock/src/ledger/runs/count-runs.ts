import type { RunCount } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";

/** How many runs of each kind the ledger has in each status. */
export async function countRuns(context: LedgerContext): Promise<RunCount[]> {
  const rows = await read(context, (db) =>
    db
      .selectFrom("runs")
      .select(({ fn }) => ["kind", "status", fn.countAll<number>().as("runs")])
      .groupBy(["kind", "status"])
      .execute(),
  );
  return rows.map((row) => ({ ...(row as RunCount), runs: Number(row.runs) }));
}
