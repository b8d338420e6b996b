import type { LedgerStore } from "./database/ledger-store.ts";
import type { LedgerDatabase, LedgerTransaction } from "./database/schema.ts";
import type { Owner } from "./owner.ts";
import type { Redactor } from "./redact/create-redactor.ts";

/** What every operation of one open ledger works with. */
export interface LedgerContext {
  readonly home: string;
  readonly store: LedgerStore;
  readonly redactor: Redactor;
  readonly owner: Owner;
  /** Whether the process is certainly gone. */
  isGone(owner: Owner): boolean;
  now(): Date;
  /** The runs that this process has claimed as a worker, each with its fence; see `run-state.ts`. */
  readonly claims: Map<string, number>;
  /** A new id with this prefix; see `create-id-source.ts`. */
  newId(prefix: string): string;
}

type Work<T> = (trx: LedgerTransaction) => Promise<T>;

/**
 * All or nothing: what `work` writes is committed together, or not at all. Nobody else writes meanwhile, so that what it
 * has read stays true until then. It may be called again where the database gave the first attempt up.
 */
export function write<T>(context: LedgerContext, work: Work<T>): Promise<T> {
  return attempt(context, () => context.store.db.transaction().execute(work));
}

/**
 * The same for work on a single run, beside that on other runs where the database has locks for rows: `requireRun` locks
 * the run's. Whatever depends on more than its run and the end of the chain takes `write`.
 */
export function writeRun<T>(context: LedgerContext, work: Work<T>): Promise<T> {
  return attempt(context, () => context.store.db.transaction().setIsolationLevel("read committed").execute(work));
}

export function read<T>(context: LedgerContext, work: (db: LedgerDatabase) => Promise<T>): Promise<T> {
  return orLedgerError(context, work(context.store.db));
}

/** Whatever the database or the file system refuses becomes an error with a reason and a remedy. */
export async function orLedgerError<T>({ store }: Pick<LedgerContext, "store">, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw store.toError(error);
  }
}

async function attempt<T>({ store }: LedgerContext, transact: () => Promise<T>): Promise<T> {
  try {
    return await (store.repeat ? store.repeat(transact) : transact());
  } catch (error) {
    throw store.toError(error);
  }
}
