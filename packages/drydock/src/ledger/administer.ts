import type { CopyOptions, CopyResult } from "./copy/copy-options.ts";
import type { DatabaseStatus } from "./database/database-status.ts";

interface Place {
  home: string;
  databaseUrl: string | null;
}

// What is done to a database as a whole: rarely, by its owner, and by no dock.

/** How the ledger's database stands. Nothing is made or changed in it. */
export async function examineDatabase({ home, databaseUrl }: Place): Promise<DatabaseStatus> {
  if (databaseUrl === null) {
    return (await import("./database/sqlite/native/examine-database.ts")).examineSqlite(home);
  }
  return (await import("./database/postgres/native/examine-database.ts")).examinePostgres(home, databaseUrl);
}

/** Brings the database to this version's schema, also where older programs can't use it any more. */
export async function migrateLedger({ home, databaseUrl }: Place): Promise<void> {
  const options = { home, synchronous: "normal", mayBreak: true } as const;
  const store =
    databaseUrl === null
      ? await (await import("./database/sqlite/open-store.ts")).openSqliteStore(options)
      : await (await import("./database/postgres/open-store.ts")).openPostgresStore({ ...options, databaseUrl });
  await store.close();
}

/** Copies the ledger of a home into an empty PostgreSQL database. */
export async function copyLedger(options: CopyOptions): Promise<CopyResult> {
  return (await import("./copy/copy-ledger.ts")).copyLedger(options);
}
