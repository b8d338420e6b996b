import type { LedgerDatabase, LedgerTransaction } from "./database/schema.ts";
import { toLedgerError } from "./database/sqlite-failure.ts";
import type { Owner } from "./owner.ts";
import type { Redactor } from "./redact/create-redactor.ts";

/** What every operation of one open ledger works with. */
export interface LedgerContext {
  readonly home: string;
  readonly db: LedgerDatabase;
  readonly redactor: Redactor;
  readonly owner: Owner;
  readonly synchronous: "normal" | "full";
  /** Opened only to be read, because the home can't be written. */
  readonly isReadOnly: boolean;
  now(): Date;
  /** A new id with this prefix; see `create-id-source.ts`. */
  newId(prefix: string): string;
}

/** All or nothing: what `work` writes is committed together, or not at all. */
export async function write<T>(context: LedgerContext, work: (trx: LedgerTransaction) => Promise<T>): Promise<T> {
  try {
    return await context.db.transaction().execute(work);
  } catch (error) {
    throw toLedgerError(error, context.home);
  }
}

export async function read<T>(context: LedgerContext, work: (db: LedgerDatabase) => Promise<T>): Promise<T> {
  try {
    return await work(context.db);
  } catch (error) {
    throw toLedgerError(error, context.home);
  }
}
