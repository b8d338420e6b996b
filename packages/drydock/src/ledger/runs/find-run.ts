import { DrydockError } from "@drydock/protocol";
import { defineQuery } from "../database/define-query.ts";
import { featuresOf } from "../database/features.ts";
import type { LedgerDatabase, LedgerTransaction, RunsTable } from "../database/schema.ts";

const selectRun = defineQuery<{ id: string }, RunsTable>((db, p) =>
  db.selectFrom("runs").selectAll().where("id", "=", p("id")),
);

const lockRun = defineQuery<{ id: string }, RunsTable>((db, p) => {
  const one = db.selectFrom("runs").selectAll().where("id", "=", p("id"));
  return featuresOf(db).locksRows ? one.forUpdate() : one;
});

export async function findRun(db: LedgerDatabase, id: string): Promise<RunsTable | undefined> {
  const [row] = await selectRun(db, { id });
  return row;
}

/** For who writes to the run: until the end of the transaction nobody else does. */
export async function requireRun(trx: LedgerTransaction, id: string): Promise<RunsTable> {
  const [row] = await lockRun(trx, { id });
  if (row) return row;
  throw new DrydockError(
    "run.not_found",
    `There is no run ${id} in this ledger.`,
    "List the runs: drydock runs list.",
    {
      runId: id,
    },
  );
}
