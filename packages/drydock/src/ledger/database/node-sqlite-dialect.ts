import type { DatabaseSync } from "node:sqlite";
import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { NodeSqliteDriver } from "./node-sqlite-driver.ts";

export interface NodeSqliteDialectConfig {
  database: DatabaseSync;
  /** Ledgers of one process that share this key take turns at writing without asking SQLite. */
  writeLockKey: string;
  /** How long a write waits for another process's before it gives up. */
  busyTimeoutMs: number;
}

/** Kysely over the SQLite that comes with Node. Everything but the driver is Kysely's own. */
export function createNodeSqliteDialect(config: NodeSqliteDialectConfig): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new NodeSqliteDriver(config),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
