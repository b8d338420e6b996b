import { closeSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { migrateDatabase } from "./migrate-database.ts";
import { createNodeSqliteDialect } from "./node-sqlite-dialect.ts";
import type { LedgerDatabase, LedgerTables } from "./schema.ts";
import { toLedgerError } from "./sqlite-failure.ts";

const BUSY_TIMEOUT_MS = 5000;
/** One uninterrupted wait inside SQLite; the driver repeats it until the whole timeout is used up. */
const BLOCKING_WAIT_MS = 50;

/** Opens, and where needed creates, `ledger.db` in the home: 0700 for the directory, 0600 for the files. */
export async function openDatabase(home: string, synchronous: "normal" | "full"): Promise<LedgerDatabase> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const path = join(realpathSync(home), "ledger.db");
    // SQLite creates its files by the umask; it gives the WAL and shared-memory files the mode of the database.
    closeSync(openSync(path, "a", 0o600));
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma foreign_keys = off;`);
      database.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}; pragma trusted_schema = off;`);
    } catch (error) {
      database.close();
      throw error;
    }
    const dialect = createNodeSqliteDialect({ database, writeLockKey: path, busyTimeoutMs: BUSY_TIMEOUT_MS });
    const db = new Kysely<LedgerTables>({ dialect });
    try {
      await migrateDatabase(db, home);
    } catch (error) {
      await db.destroy();
      throw error;
    }
    return db;
  } catch (error) {
    throw toLedgerError(error, home);
  }
}

/** A connection of its own for long reads: one consistent snapshot, with nobody waiting behind it. */
export function openSnapshotDatabase(home: string): LedgerDatabase {
  const path = join(realpathSync(home), "ledger.db");
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  const dialect = createNodeSqliteDialect({ database, writeLockKey: path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  return new Kysely<LedgerTables>({ dialect });
}
