import type { DatabaseSync } from "node:sqlite";
import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { LedgerAdapter } from "../features.ts";
import { NodeSqliteDriver } from "./driver.ts";
import { SQLITE_FEATURES } from "./features.ts";
import { NodeSqliteConnection } from "./native/connection.ts";

export interface NodeSqliteDialectConfig {
  database: DatabaseSync;
  /** Ledgers of one process that share this key take turns at writing without asking SQLite. */
  writeLockKey: string;
  /** How long a write waits for another process's before it gives up. */
  busyTimeoutMs: number;
}

/** SQLite changes its schema in transactions as it does all else; Kysely leaves that off by default. */
class NodeSqliteAdapter extends SqliteAdapter implements LedgerAdapter {
  readonly features = SQLITE_FEATURES;
  readonly execute: NonNullable<LedgerAdapter["execute"]>;

  constructor(connection: NodeSqliteConnection) {
    super();
    this.execute = (query) => connection.execute(query);
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely over the SQLite that comes with Node. Nearly everything but the driver is Kysely's own. */
export function createNodeSqliteDialect(config: NodeSqliteDialectConfig): Dialect {
  const connection = new NodeSqliteConnection(config.database, config.busyTimeoutMs);
  return {
    createAdapter: () => new NodeSqliteAdapter(connection),
    createDriver: () => new NodeSqliteDriver(config, connection),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
