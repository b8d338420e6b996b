import { type LedgerContext, read } from "../ledger-context.ts";
import { findRun } from "./find-run.ts";

const MOST = 100;

/** The runs that follow a run, the oldest first. A replay of one follows nothing. */
export async function listFollowers(context: LedgerContext, runId: string): Promise<string[]> {
  const rows = await read(context, async (db) => {
    const run = await findRun(db, runId);
    if (!run || run.workspace === null) return [];
    return db
      .selectFrom("runs")
      .innerJoin("events", "events.run_id", "runs.id")
      .select(["runs.id", "events.data"])
      .where("runs.workspace", "=", run.workspace)
      .where("runs.kind", "=", "goal")
      .where("runs.id", ">", runId)
      .where("events.seq", "=", 0)
      .where("events.data", "like", `%"follow":{"run":"${runId}"}%`)
      .orderBy("runs.id")
      .limit(MOST)
      .execute();
  });
  return rows.filter(({ data }) => JSON.parse(data).request?.replayOf === undefined).map(({ id }) => id);
}
