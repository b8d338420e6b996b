import { DrydockError } from "@drydock/protocol";
import { sql } from "kysely";
import { featuresOf } from "./features.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { LedgerDatabase } from "./schema.ts";

/** The words about a ledger that a newer Drydock wrote. */
interface Place {
  what: string;
  hint: string;
  data: Record<string, unknown>;
}

/** Brings the database to this version's schema; refuses one that a newer Drydock has already changed. */
export async function migrateDatabase(db: LedgerDatabase, { what, hint, data }: Place): Promise<void> {
  const done = await appliedMigrations(db);
  const unknown = done.find((name) => !(name in MIGRATIONS));
  if (unknown !== undefined) {
    throw new DrydockError(
      "ledger.unavailable",
      `${what} was written by a newer Drydock: this one does not know its schema ${unknown}.`,
      hint,
      { ...data, reason: "newer", schema: unknown },
    );
  }
  if (done.length === Object.keys(MIGRATIONS).length) return;
  // Needed once in a home's life; loading it would cost every other start a little.
  const { Migrator } = await import("kysely/migration");
  // All in one transaction: two processes may meet on a new home, and either may be killed half way.
  await db.transaction().execute(async (trx) => {
    const migrationTableSchema = await featuresOf(trx).migrationSchema(trx);
    const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
    const migrator = new Migrator({ db: trx, provider, ...(migrationTableSchema && { migrationTableSchema }) });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  });
}

/** Names of the migrations that the database has had; none where it is new. Asking costs less than Kysely's migrator. */
async function appliedMigrations(db: LedgerDatabase): Promise<string[]> {
  if (!(await featuresOf(db).hasTable(db, "kysely_migration"))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
