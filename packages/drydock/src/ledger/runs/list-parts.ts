import type { Run } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";
import { runFromRow } from "./get-run.ts";

/** The runs that were started as parts of a run, the oldest first. A part is always younger than the run it belongs to. */
export async function listParts(context: LedgerContext, runId: string): Promise<Run[]> {
  const rows = await read(context, (db) =>
    db
      .selectFrom("runs")
      .innerJoin("events", "events.run_id", "runs.id")
      .selectAll("runs")
      .select("events.data")
      .where("runs.id", ">", runId)
      .where("events.seq", "=", 0)
      .where("events.data", "like", `%"parentRunId":"${runId}"%`)
      .orderBy("runs.id")
      .execute(),
  );
  return rows.filter(({ data }) => JSON.parse(data).parentRunId === runId).map(runFromRow);
}
