import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { retryWhileBusy } from "./retry-while-busy.ts";

interface CachedStatement {
  statement: StatementSync;
  returnsRows: boolean;
}

const STATEMENTS_KEPT = 256;

/** Keeps its prepared statements: preparing costs several times what running one of the ledger's does. */
export class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, CachedStatement>();

  readonly #busyTimeoutMs: number;

  constructor(database: DatabaseSync, busyTimeoutMs: number) {
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  run(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return retryWhileBusy(this.#busyTimeoutMs, () => this.execute<R>(query));
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // biome-ignore lint/correctness/useYield: the ledger pages with keys instead, and Kysely asks for the method all the same.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("The ledger's SQLite connection does not stream; page by key.");
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): CachedStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    const cached = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, cached);
    return cached;
  }
}
