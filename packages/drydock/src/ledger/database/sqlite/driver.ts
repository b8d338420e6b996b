import type { DatabaseConnection, Driver, TransactionSettings } from "kysely";
import type { NodeSqliteDialectConfig } from "./dialect.ts";
import type { NodeSqliteConnection } from "./native/connection.ts";
import { retryWhileBusy } from "./native/retry-while-busy.ts";
import { acquireWriteLock } from "./native/write-lock.ts";

/**
 * One connection; Kysely hands it to one user at a time. A transaction that writes begins as IMMEDIATE, so that
 * it never has to be upgraded, and cannot fail half way because somebody else wrote meanwhile.
 *
 * SQLite waits for a lock by blocking the thread. Two ledgers of one process would block each other that way for
 * good, so those take turns first (`acquireWriteLock`); another process's lock is waited for in short blocks with
 * the event loop free in between.
 */
export class NodeSqliteDriver implements Driver {
  readonly #config: NodeSqliteDialectConfig;
  readonly #connection: NodeSqliteConnection;
  #releaseWriteLock: (() => void) | undefined;

  constructor(config: NodeSqliteDialectConfig, connection: NodeSqliteConnection) {
    this.#config = config;
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(_connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.accessMode === "read only") {
      this.#connection.run("begin");
      return;
    }
    const release = await acquireWriteLock(this.#config.writeLockKey);
    try {
      await retryWhileBusy(this.#config.busyTimeoutMs, () => this.#connection.run("begin immediate"));
      this.#releaseWriteLock = release;
    } catch (error) {
      release();
      throw error;
    }
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run("commit");
    this.#unlock();
  }

  async rollbackTransaction(): Promise<void> {
    try {
      // A full disk makes SQLite roll back by itself, and then there is nothing left to roll back.
      if (this.#config.database.isTransaction) this.#connection.run("rollback");
    } finally {
      this.#unlock();
    }
  }

  #unlock(): void {
    this.#releaseWriteLock?.();
    this.#releaseWriteLock = undefined;
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connection.close();
  }
}
