import { DrydockError } from "@drydock/protocol";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { featuresOf } from "./features.ts";
import { BREAKING_MIGRATIONS, MIGRATIONS } from "./migrations/index.ts";
import type { LedgerDatabase } from "./schema.ts";

/*
 * Who may use a database, when programs of several versions do. Its schema is the list of migrations that it has had. One
 * that a program does not know was made by a newer one. Most add something that an older program need not know of; those that
 * change what is there are on the list of the breaking ones, and the last of them is written down in the database itself
 * (`schema-floor`), where programs find it that are older than the list. Whoever does not know it refuses the database.
 */

/** The words about a ledger that another version wrote. */
interface Place {
  what: string;
  hint: string;
  data: Record<string, unknown>;
  /**
   * Whether a program may make a migration by itself that keeps older programs out. Not where others use the database, too:
   * their owner says when.
   */
  mayBreak: boolean;
}

export interface Schema {
  /** What the database has had, and what it will get. */
  applied: string[];
  pending: string[];
  /** Of the pending ones, those that keep older programs out. */
  breaking: string[];
}

/** Each with what it does; for tests that make up versions. */
export interface SchemaVersion {
  migrations: Readonly<Record<string, Migration>>;
  breaking: readonly string[];
}

export const THIS_VERSION: SchemaVersion = { migrations: MIGRATIONS, breaking: BREAKING_MIGRATIONS };

const FLOOR = "schema-floor";

/** Brings the database to this version's schema; refuses one that a newer Drydock has changed in a way that this one does not know. */
export async function migrateDatabase(
  db: LedgerDatabase,
  place: Place,
  version: SchemaVersion = THIS_VERSION,
): Promise<void> {
  const { applied, pending, breaking } = await readSchema(db, place, version);
  if (pending.length === 0) return;
  if (breaking.length > 0 && applied.length > 0 && !place.mayBreak) {
    throw new DrydockError(
      "ledger.unavailable",
      `${place.what} was made by an older Drydock: its schema lacks ${breaking.join(", ")}.`,
      "Stop all programs of the older version that use it, then run: drydock db migrate",
      { ...place.data, reason: "older", schema: breaking[0] },
    );
  }
  // Needed once in a home's life; loading it would cost every other start a little.
  const { Migrator } = await import("kysely/migration");
  // All in one transaction: two processes may meet on a new home, and either may be killed half way.
  await db.transaction().execute(async (trx) => {
    const migrationTableSchema = await featuresOf(trx).migrationSchema(trx);
    const provider = { getMigrations: async () => ({ ...version.migrations }) };
    const migrator = new Migrator({ db: trx, provider, ...(migrationTableSchema && { migrationTableSchema }) });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    const value = version.breaking.at(-1);
    if (value === undefined) return;
    await trx
      .insertInto("meta")
      .values({ key: FLOOR, value })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
      .execute();
  });
}

/** What the database has had of it; refuses one that is too new. */
export async function readSchema(
  db: LedgerDatabase,
  { what, hint, data }: Pick<Place, "what" | "hint" | "data">,
  { migrations, breaking }: SchemaVersion = THIS_VERSION,
): Promise<Schema> {
  const applied = await appliedMigrations(db);
  const pending = Object.keys(migrations).filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !(name in migrations));
  const [first] = unknown;
  if (first !== undefined) {
    const floor = await readFloor(db);
    // Where both have something that the other lacks, no order is known.
    const tooNew = floor === undefined || !(floor in migrations) || pending.length > 0;
    const schema = floor !== undefined && !(floor in migrations) ? floor : first;
    if (tooNew) {
      throw new DrydockError(
        "ledger.unavailable",
        `${what} was written by a newer Drydock: this one does not know its schema ${schema}.`,
        hint,
        { ...data, reason: "newer", schema },
      );
    }
  }
  return { applied, pending, breaking: pending.filter((name) => breaking.includes(name)) };
}

/** Names of the migrations that the database has had; none where it is new. Asking costs less than Kysely's migrator. */
async function appliedMigrations(db: LedgerDatabase): Promise<string[]> {
  if (!(await featuresOf(db).hasTable(db, "kysely_migration"))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

async function readFloor(db: LedgerDatabase): Promise<string | undefined> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", FLOOR).executeTakeFirst();
  return row?.value;
}
