import { DrydockError } from "@drydock/protocol";
import { type Kysely, sql } from "kysely";
import { MIGRATIONS } from "./migrations/index.ts";
import type { LedgerDatabase } from "./schema.ts";

/** Brings the database to this version's schema; refuses one that a newer Drydock has already changed. */
export async function migrateDatabase(db: LedgerDatabase, home: string): Promise<void> {
  const done = await appliedMigrations(db);
  const unknown = done.find((name) => !(name in MIGRATIONS));
  if (unknown !== undefined) {
    throw new DrydockError(
      "ledger.unavailable",
      `The ledger in ${home} was written by a newer Drydock: this one does not know its schema ${unknown}.`,
      "Use the newer Drydock for this home, or set DRYDOCK_HOME to another directory for this one.",
      { home, reason: "newer", schema: unknown },
    );
  }
  if (done.length === Object.keys(MIGRATIONS).length) return;
  // Needed once in a home's life; loading it would cost every other start a little.
  const { Migrator } = await import("kysely/migration");
  // All in one transaction: two processes may meet on a new home, and either may be killed half way.
  await db.transaction().execute(async (trx) => {
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  });
}

/** Names of the migrations that the database has had; none where it is new. Asking costs less than Kysely's migrator. */
async function appliedMigrations(db: LedgerDatabase): Promise<string[]> {
  const tables = await (db as unknown as Kysely<{ sqlite_master: { type: string; name: string } }>)
    .selectFrom("sqlite_master")
    .select("name")
    .where("type", "=", "table")
    .where("name", "=", "kysely_migration")
    .execute();
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
