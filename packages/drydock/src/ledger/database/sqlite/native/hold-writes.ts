import { realpathSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const PATIENCE_MS = 10_000;

/** Nobody writes to the ledger of this home until it is given up: others wait for a while, and then say that it is busy. */
export function holdWrites(home: string): Disposable {
  const database = new DatabaseSync(join(realpathSync(home), "ledger.db"), { timeout: PATIENCE_MS });
  try {
    database.exec("begin immediate");
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    [Symbol.dispose]() {
      database.exec("rollback");
      database.close();
    },
  };
}
