import type { CompiledQuery, DialectAdapter, Kysely, QueryResult, RawBuilder } from "kysely";
import type { WordIndex } from "../knowledge/word-index.ts";
import type { LedgerDatabase, LedgerTables, LedgerTransaction } from "./schema.ts";

/** What one database does in another way than the next. Queries ask for these, never for the name of a database. */
export interface DatabaseFeatures {
  /** Others write beside a transaction: a row that it changes is locked when it is read. Where not, one writes at a time. */
  readonly locksRows: boolean;
  /** Keeps all others from writing to a table, until the end of the transaction; only where there is more than one writer. */
  lockTable?(trx: LedgerTransaction, name: keyof LedgerTables): Promise<void>;
  /** How a pattern is compared without regard to ASCII case. */
  readonly likeAnyCase: "like" | "ilike";
  /** The end of a `create table` whose key is what its rows are stored by. */
  readonly keyedTable: RawBuilder<unknown>;
  /** A text field of a column with JSON. */
  jsonText(column: RawBuilder<unknown>, field: string): RawBuilder<unknown>;
  /** Whether there is such a table. */
  hasTable(db: LedgerDatabase, name: string): Promise<boolean>;
  /** Where migrations keep what they have done; undefined: where they are. */
  migrationSchema(db: LedgerDatabase): Promise<string | undefined>;
  /** Makes what a database needs that several machines may share; only where that is possible. */
  prepareSharing?(db: Kysely<unknown>): Promise<void>;
  /** The full-text indexes of knowledge bases. */
  readonly words: WordIndex;
}

/** The adapter is the one object that a database and all of its transactions share. */
export interface LedgerAdapter extends DialectAdapter {
  readonly features: DatabaseFeatures;
  /** The connection that a transaction holds, without detours; only where there is one for all. */
  execute?<R>(query: CompiledQuery<R>): QueryResult<R>;
}

export function featuresOf(db: Pick<LedgerDatabase, "getExecutor">): DatabaseFeatures {
  return (db.getExecutor().adapter as LedgerAdapter).features;
}
