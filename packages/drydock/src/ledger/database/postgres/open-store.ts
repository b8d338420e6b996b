import { Kysely } from "kysely";
import { Pool, type PoolConfig } from "pg";
import type { LedgerStore } from "../ledger-store.ts";
import { migrateDatabase } from "../migrate-database.ts";
import type { LedgerDatabase, LedgerTables } from "../schema.ts";
import { showAddress } from "../show-address.ts";
import { createPostgresDialect } from "./dialect.ts";
import { toPostgresError } from "./failure.ts";
import { measureFreeSpace, reclaimSpace } from "./free-space.ts";
import { claimHome } from "./native/claim-home.ts";
import { asServer, examineServer } from "./native/examine-server.ts";
import { NUMBER_TYPES } from "./native/read-numbers.ts";
import { repeatConflicts } from "./native/repeat-conflicts.ts";

interface PostgresOptions {
  home: string;
  databaseUrl: string;
  synchronous: "normal" | "full";
  mayBeUnwritable?: boolean;
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** A transaction waits so long for others before it gives up. */
const LOCK_TIMEOUT_MS = 20_000;
/** A process that stops in the middle of a transaction keeps others waiting no longer. */
const STOPPED_TIMEOUT_MS = 15_000;

/** The ledger of a PostgreSQL database; artifacts and keys stay in the home. */
export async function openPostgresStore(options: PostgresOptions): Promise<LedgerStore> {
  const { home } = options;
  const shown = showAddress(options.databaseUrl);
  const toError = (error: unknown) => toPostgresError(error, { shown, home });
  const db = openPool(options, CONNECTIONS);
  try {
    const { isReadOnly, version } = await examineServer(db, shown);
    if (isReadOnly && !options.mayBeUnwritable) throw asServer("25006", "the server is read-only");
    const what = `The ledger in the database ${shown}`;
    const hint = "Use the newer Drydock for this database, or another database for this one.";
    await migrateDatabase(db, { what, hint, data: { database: shown } });
    if (!isReadOnly) await claimHome(db, { home, shown });
    return {
      db,
      isReadOnly,
      isShared: true,
      place: shown,
      version: `PostgreSQL ${version}`,
      repeat: repeatConflicts,
      toError,
      openSnapshot: () => openPool(options, 1),
      measureFreeSpace,
      reclaimSpace: () => reclaimSpace(db),
      close: () => db.destroy(),
      leave: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    throw toError(error);
  }
}

function openPool({ databaseUrl, synchronous }: PostgresOptions, max: number): LedgerDatabase {
  const config: PoolConfig = {
    connectionString: databaseUrl,
    max,
    application_name: "drydock",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STOPPED_TIMEOUT_MS,
    // Nobody waits for a connection that is not used.
    allowExitOnIdle: true,
    types: NUMBER_TYPES,
  };
  const pool = new Pool(config);
  // A lost connection is replaced with the next use. Whoever uses it now gets the error as that of his query.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    if (synchronous === "full") void client.query(SURELY).catch(() => {});
  });
  return new Kysely<LedgerTables>({ dialect: createPostgresDialect({ pool }) });
}

/** Where the server acknowledges before its own disk has it, here it does not. Stricter settings stay as they are. */
const SURELY = `do $$ begin
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', false); end if;
end $$`;
