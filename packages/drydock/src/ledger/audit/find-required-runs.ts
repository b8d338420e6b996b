import type { LedgerTransaction } from "../database/schema.ts";

const RUN_ID = /run_[0-9a-z]{26}/g;

/**
 * The runs that a paused, interrupted or running run may need to go on: those that its events name, those that these name
 * in turn, and those that were started for it.
 */
export async function findRequiredRuns(trx: LedgerTransaction): Promise<Set<string>> {
  const open = await trx.selectFrom("runs").select("id").where("ended_at", "is", null).execute();
  const needed = new Set(open.map(({ id }) => id));
  // A set is walked in the order in which it grows, so that what is added here is looked into, too.
  for (const id of needed) {
    const named = await trx.selectFrom("events").select("data").where("run_id", "=", id).execute();
    const children = await trx
      .selectFrom("events")
      .select("run_id")
      .where("type", "=", "run.created")
      .where("data", "like", `%"parentRunId":"${id}"%`)
      .execute();
    for (const { data } of named) for (const [mentioned] of data.matchAll(RUN_ID)) needed.add(mentioned);
    for (const { run_id } of children) needed.add(run_id);
  }
  return needed;
}
