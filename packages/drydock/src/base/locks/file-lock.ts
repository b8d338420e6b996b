import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "./sqlite-busy.ts";

const RETRY_MS = 20;

/**
 * Null where another holds it. The lock is one of the kernel's, taken through SQLite, and so ends with its process
 * however that ends.
 */
export function tryFileLock(path: string): Disposable | null {
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
    if (isBusy(error)) return null;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** Waits for it as long as there is patience, and then says what `refuse` says. */
export async function waitForFileLock(
  path: string,
  { patienceMs, refuse, signal }: { patienceMs: number; refuse: () => Error; signal?: AbortSignal },
): Promise<Disposable> {
  for (let waited = 0; waited < patienceMs; waited += RETRY_MS) {
    signal?.throwIfAborted();
    const lock = tryFileLock(path);
    if (lock) return lock;
    await sleep(RETRY_MS, undefined, { signal });
  }
  throw refuse();
}
