import type { RunCount, RunCounts, RunFilter } from "@drydock/protocol";
import { featuresOf } from "../database/features.ts";
import { type LedgerContext, read } from "../ledger-context.ts";
import { filterIndexed, filterText } from "./run-filter.ts";

/** How many runs of each kind the ledger has in each status. */
export async function countRuns(context: LedgerContext): Promise<Omit<RunCount, "verdict">[]> {
  const rows = await read(context, (db) =>
    db
      .selectFrom("runs")
      .select(({ fn }) => ["kind", "status", fn.countAll<number>().as("runs")])
      .groupBy(["kind", "status"])
      .execute(),
  );
  return rows.map((row) => ({ ...(row as RunCount), runs: Number(row.runs) }));
}

/** More rows than these are not counted. */
const MOST_COUNTED = 100_000;

/** The same and by verdict, of the runs that fit: the newest 100,000 of them. */
export async function countMatching(context: LedgerContext, filter: RunFilter = {}): Promise<RunCounts> {
  return read(context, async (db) => {
    const indexed = filterIndexed(db.selectFrom("runs"), filter);
    const [edge] = await indexed.select("id").orderBy("id", "desc").limit(1).offset(MOST_COUNTED).execute();
    let query = filterText(indexed, filter.text, featuresOf(db));
    if (edge) query = query.where("id", ">", edge.id);
    const rows = await query
      .select(({ fn }) => ["kind", "status", "verdict", fn.countAll<number>().as("runs")])
      .groupBy(["kind", "status", "verdict"])
      .execute();
    const counts = rows.map((row) => ({ ...(row as RunCount), runs: Number(row.runs) }));
    return { counts, total: counts.reduce((sum, { runs }) => sum + runs, 0), complete: edge === undefined };
  });
}
