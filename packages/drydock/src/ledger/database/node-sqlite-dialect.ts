import type { DatabaseSync } from "node:sqlite";
import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { DirectAdapter } from "./define-query.ts";
import { NodeSqliteConnection } from "./node-sqlite-connection.ts";
import { NodeSqliteDriver } from "./node-sqlite-driver.ts";

export interface NodeSqliteDialectConfig {
  database: DatabaseSync;
  /** Ledgers of one process that share this key take turns at writing without asking SQLite. */
  writeLockKey: string;
  /** How long a write waits for another process's before it gives up. */
  busyTimeoutMs: number;
}

/** SQLite changes its schema in transactions as it does all else; Kysely leaves that off by default. */
class NodeSqliteAdapter extends SqliteAdapter implements DirectAdapter {
  readonly execute: DirectAdapter["execute"];

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
