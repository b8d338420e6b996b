import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { DrydockError } from "@drydock/protocol";

const SQLITE_BUSY = 5;
const RETRY_MS = 20;
const PATIENCE_MS = 30_000;

/**
 * Null where another holds it. The lock is one of the kernel's, taken through SQLite, and so ends with its process
 * however that ends.
 */
export function tryLock(path: string): Disposable | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite itself would make a file that everybody may read. One that is there is left alone: to close a file that this
  // process has locked elsewhere would end that lock.
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so that no journal need lie there.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

export async function waitForLock(path: string): Promise<Disposable> {
  for (let waited = 0; waited < PATIENCE_MS; waited += RETRY_MS) {
    const lock = tryLock(path);
    if (lock) return lock;
    await sleep(RETRY_MS);
  }
  throw new DrydockError(
    "extension.conflict",
    "Another process has been changing the extensions of this home for too long.",
    "Try again when it has ended. Nothing was changed.",
  );
}
