import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LOCK_NAME } from "./keeper-socket.ts";

export interface KeeperLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Null where another keeper lives. The lock is one of the kernel's, taken through SQLite, and so ends with the process
 * however that ends: whoever holds it knows that a socket it finds in the home is a dead keeper's.
 */
export function tryKeeperLock(home: string): KeeperLock | null {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, LOCK_NAME);
  // SQLite itself would make a file that everybody may read.
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so that no journal need lie in the home.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return { release: () => database.close() };
}
