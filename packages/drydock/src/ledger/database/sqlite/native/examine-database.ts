import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseStatus } from "../../database-status.ts";
import { readSchema, THIS_VERSION } from "../../migrate-database.ts";
import { toLedgerError } from "../failure.ts";
import { openSnapshotDatabase } from "./open-database.ts";

/** How the ledger of a home stands. Nothing is made or changed in it. */
export async function examineSqlite(home: string): Promise<DatabaseStatus> {
  const place = join(home, "ledger.db");
  const about = { place, version: `SQLite ${process.versions.sqlite}`, copying: false, members: [] };
  const all = Object.keys(THIS_VERSION.migrations);
  if (!existsSync(place)) return { ...about, schema: null, pending: all, breaking: [...THIS_VERSION.breaking] };
  try {
    await using db = openSnapshotDatabase(home);
    const hint = "Use the newer Drydock for this home.";
    const { applied, pending, breaking } = await readSchema(db, {
      what: `The ledger in ${home}`,
      hint,
      data: { home },
    });
    return { ...about, schema: applied.at(-1) ?? null, pending, breaking };
  } catch (error) {
    throw toLedgerError(error, home);
  }
}
