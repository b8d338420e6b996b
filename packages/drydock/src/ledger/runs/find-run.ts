import { DrydockError } from "@drydock/protocol";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerDatabase, RunsTable } from "../database/schema.ts";

const selectRun = defineQuery<{ id: string }, RunsTable>((db, p) =>
  db.selectFrom("runs").selectAll().where("id", "=", p("id")),
);

export async function findRun(db: LedgerDatabase, id: string): Promise<RunsTable | undefined> {
  const [row] = await selectRun(db, { id });
  return row;
}

export async function requireRun(db: LedgerDatabase, id: string): Promise<RunsTable> {
  const row = await findRun(db, id);
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
