import { Kysely } from "kysely";
import { Pool, type PoolConfig } from "pg";
import type { LedgerDatabase, LedgerTables } from "../../schema.ts";
import { createPostgresDialect } from "../dialect.ts";
import { NUMBER_TYPES } from "./read-numbers.ts";

interface PoolOptions {
  databaseUrl: string;
  synchronous: "normal" | "full";
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A transaction waits so long for others before it gives up. */
const LOCK_TIMEOUT_MS = 20_000;
/** A process that stops in the middle of a transaction keeps others waiting no longer. */
const STOPPED_TIMEOUT_MS = 15_000;

export function connectTo({ databaseUrl }: Pick<PoolOptions, "databaseUrl">) {
  return {
    connectionString: databaseUrl,
    application_name: "drydock",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  };
}

export function openPool(options: PoolOptions, max: number): LedgerDatabase {
  const config: PoolConfig = {
    ...connectTo(options),
    max,
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
    if (options.synchronous === "full") void client.query(SURELY).catch(() => {});
  });
  return new Kysely<LedgerTables>({ dialect: createPostgresDialect({ pool }) });
}

/** Where the server acknowledges before its own disk has it, here it does not. Stricter settings stay as they are. */
const SURELY = `do $$ begin
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', false); end if;
end $$`;
