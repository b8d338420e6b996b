import { sql } from "kysely";
import { isBusy } from "../../../base/locks/index.ts";
import type { LedgerDatabase } from "../schema.ts";
import { toLedgerError } from "./failure.ts";

/** Less than this is soon used again. */
const WORTH_BYTES = 1024 * 1024;
/** SQLite writes all remaining data once more, and blocks other writers meanwhile: for this much, about a second. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** Bytes in `ledger.db` that removed rows left free. New rows use them first. */
export async function measureFreeSpace(db: LedgerDatabase): Promise<number> {
  return (await readPragma(db, "freelist_count")) * (await readPragma(db, "page_size"));
}

/**
 * Gives that room back to the disk, where it is worth it and does not keep others waiting for long. Returns by how much the
 * database shrank. The file itself shrinks when no other process reads an older state of it.
 */
export async function reclaimSpace(db: LedgerDatabase, home: string): Promise<number> {
  const free = await measureFreeSpace(db);
  const size = await readPragma(db, "page_count").then(async (pages) => pages * (await readPragma(db, "page_size")));
  if (free < WORTH_BYTES || free < size / 4 || size - free > MOST_KEPT_BYTES) return 0;
  try {
    await sql`vacuum`.execute(db);
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch (error) {
    if (isBusy(error)) return 0;
    throw toLedgerError(error, home);
  }
  return free - (await measureFreeSpace(db));
}

async function readPragma(db: LedgerDatabase, name: "freelist_count" | "page_count" | "page_size"): Promise<number> {
  const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(db);
  return rows[0]?.[name] ?? 0;
}
