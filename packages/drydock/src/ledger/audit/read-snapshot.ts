import { openSnapshotDatabase } from "../database/open-database.ts";
import type { LedgerDatabase } from "../database/schema.ts";
import { toLedgerError } from "../database/sqlite-failure.ts";
import type { LedgerContext } from "../ledger-context.ts";

/** Reads the ledger as it is at one moment, on a connection of its own, while others go on writing. */
export async function readSnapshot<T>(
  { home, isReadOnly }: Pick<LedgerContext, "home" | "isReadOnly">,
  work: (db: LedgerDatabase) => Promise<T>,
): Promise<T> {
  try {
    await using db = openSnapshotDatabase(home, isReadOnly);
    return await db.transaction().setAccessMode("read only").execute(work);
  } catch (error) {
    throw toLedgerError(error, home);
  }
}
