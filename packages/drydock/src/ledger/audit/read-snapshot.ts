import type { LedgerDatabase } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";

/** Reads the ledger as it is at one moment, on a connection of its own, while others go on writing. */
export async function readSnapshot<T>(
  { store }: Pick<LedgerContext, "store">,
  work: (db: LedgerDatabase) => Promise<T>,
): Promise<T> {
  try {
    await using db = store.openSnapshot();
    return await db.transaction().setAccessMode("read only").execute(work);
  } catch (error) {
    throw store.toError(error);
  }
}
