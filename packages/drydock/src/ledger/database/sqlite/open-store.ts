import { join } from "node:path";
import type { LedgerStore } from "../ledger-store.ts";
import { isUnwritable, toLedgerError } from "./failure.ts";
import { isLogShort, openDatabase, openSnapshotDatabase, openUnwritableDatabase } from "./native/open-database.ts";
import { createPollingWatcher } from "./watch-runs.ts";

/** What other processes write is found by looking. */
const LOOK_MS = 250;

interface SqliteOptions {
  home: string;
  synchronous: "normal" | "full";
  mayBeUnwritable?: boolean;
}

/** The ledger of a home: `ledger.db`. */
export async function openSqliteStore({ home, synchronous, mayBeUnwritable }: SqliteOptions): Promise<LedgerStore> {
  let isReadOnly = false;
  const db = await openDatabase(home, synchronous).catch(async (error: unknown) => {
    const mayRead = mayBeUnwritable && isUnwritable(error, home);
    const unwritable = mayRead ? await openUnwritableDatabase(home) : null;
    if (!unwritable) throw error;
    isReadOnly = true;
    return unwritable;
  });
  const watcher = createPollingWatcher(LOOK_MS);
  return {
    db,
    isReadOnly,
    ...{ isShared: false, watcher },
    place: join(home, "ledger.db"),
    version: `SQLite ${process.versions.sqlite}`,
    toError: (error) => toLedgerError(error, home),
    openSnapshot: () => openSnapshotDatabase(home, isReadOnly),
    measureFreeSpace: async () => (await import("./free-space.ts")).measureFreeSpace(db),
    reclaimSpace: async () => (await import("./free-space.ts")).reclaimSpace(db, home),
    close: () => db.destroy(),
    async leave() {
      if (synchronous === "full" || !isLogShort(home)) await db.destroy();
    },
  };
}
