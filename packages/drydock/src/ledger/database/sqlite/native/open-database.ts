import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Kysely } from "kysely";
import { migrateDatabase } from "../../migrate-database.ts";
import type { LedgerDatabase, LedgerTables } from "../../schema.ts";
import { createNodeSqliteDialect } from "../dialect.ts";
import { toLedgerError } from "../failure.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

const BUSY_TIMEOUT_MS = 5000;
/** One uninterrupted wait inside SQLite; the driver repeats it until the whole timeout is used up. */
const BLOCKING_WAIT_MS = 50;
/** A page that is written often is copied into the database once for all of these: 16 MB of log at most. */
const CHECKPOINT_PAGES = 4000;
/** Read at the next start within about a millisecond. */
const SHORT_LOG_BYTES = 1024 * 1024;

/** Opens, and where needed creates, `ledger.db` in the home: 0700 for the directory, 0600 for the files. */
export async function openDatabase(home: string, synchronous: "normal" | "full"): Promise<LedgerDatabase> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.W_OK);
    const path = join(realpathSync(home), "ledger.db");
    createPrivateFile(path);
    const database = new DatabaseSync(path, { timeout: BLOCKING_WAIT_MS });
    try {
      // SQLite does not wait while it changes the mode of a new database, nor while another process does: each pragma reads the file.
      await retryWhileBusy(BUSY_TIMEOUT_MS, () =>
        database.exec(
          `pragma synchronous = ${synchronous}; pragma trusted_schema = off; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma journal_mode = wal;`,
        ),
      );
    } catch (error) {
      database.close();
      throw error;
    }
    return await openTables(database, path, home);
  } catch (error) {
    throw toLedgerError(error, home);
  }
}

async function openTables(database: DatabaseSync, path: string, home: string): Promise<LedgerDatabase> {
  const dialect = createNodeSqliteDialect({ database, writeLockKey: path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  const db = new Kysely<LedgerTables>({ dialect });
  try {
    await migrateDatabase(db, {
      what: `The ledger in ${home}`,
      hint: "Use the newer Drydock for this home, or set DRYDOCK_HOME to another directory for this one.",
      data: { home },
      mayBreak: true,
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/**
 * SQLite creates files by the umask, and gives the WAL the mode of the database; so the database is there before it,
 * empty and private. It is made under another name: closing any descriptor of a file drops all the locks that this
 * process holds on it, also those of another ledger on the same home.
 */
function createPrivateFile(path: string): void {
  if (existsSync(path)) return;
  const unnamed = `${path}.${randomUUID()}`;
  closeSync(openSync(unnamed, "wx", 0o600));
  try {
    linkSync(unnamed, path);
  } catch {
    // Somebody else was quicker, or the file system has no hard links.
    if (!existsSync(path)) renameSync(unnamed, path);
  } finally {
    rmSync(unnamed, { force: true });
  }
}

/** Whether reading SQLite's log again at the next start costs less than to copy it into the database now. */
export function isLogShort(home: string): boolean {
  const log = statSync(join(home, "ledger.db-wal"), { throwIfNoEntry: false });
  return log !== undefined && log.size <= SHORT_LOG_BYTES;
}

/** Opens the ledger of a home that can't be written: a full disk, a read-only one. Null where there is none, or it can't be read. */
export async function openUnwritableDatabase(home: string): Promise<LedgerDatabase | null> {
  try {
    const path = join(realpathSync(home), "ledger.db");
    const database = openUnwritable(path);
    if (!database) return null;
    return await openTables(database, path, home);
  } catch {
    return null;
  }
}

/** Without locks and without an index on disk. No other process can write either, for the same reason. */
function openUnwritable(path: string): DatabaseSync | null {
  if (!existsSync(path)) return null;
  const url = pathToFileURL(path);
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!log || log.size === 0) {
    url.searchParams.set("immutable", "1");
    return new DatabaseSync(url, { readOnly: true });
  }
  // The last process left its log: a single reader keeps the log's index in memory.
  url.searchParams.set("vfs", "unix-none");
  const database = new DatabaseSync(url, { readOnly: true });
  database.exec("pragma locking_mode = exclusive");
  return database;
}

/** A connection of its own for long reads: one consistent snapshot that blocks no other query. */
export function openSnapshotDatabase(home: string, isUnwritable = false): LedgerDatabase {
  const path = join(realpathSync(home), "ledger.db");
  const database =
    (isUnwritable ? openUnwritable(path) : null) ??
    new DatabaseSync(path, { readOnly: true, timeout: BLOCKING_WAIT_MS });
  const dialect = createNodeSqliteDialect({ database, writeLockKey: path, busyTimeoutMs: BUSY_TIMEOUT_MS });
  return new Kysely<LedgerTables>({ dialect });
}
