import { CompiledQuery, type DatabaseConnection, PostgresDriver, type TransactionSettings } from "kysely";

/*
 * How many processes write at once.
 *
 * A transaction takes one of two locks when it begins, as `write` and `writeRun` ask for it:
 *
 *   write      alone: it waits until nobody else writes, and others wait for it, as with SQLite's one writer. Whatever
 *              was read before a decision (a quota, the number of a profile, which content nothing needs) stays true.
 *   writeRun   shared with others of its kind. `requireRun` then locks the run's row, so that its events get their numbers
 *              and hashes one after the other, and `appendHead` locks the end of the chain until the commit.
 *
 * One that only stores contents which nothing refers to yet takes none.
 *
 * Locks are taken in this order only (the ledger's, one run's, the chain's), so that nobody waits in a circle. Each
 * statement sees what was committed before it: after a lock was waited for, that is what its last holder wrote.
 */

/** Any number, the same in all versions: the key of the ledger's lock in its database. */
const LEDGER_LOCK = "7225061";
const BEGIN_ALONE = CompiledQuery.raw(`begin; select pg_advisory_xact_lock(${LEDGER_LOCK})`);
const BEGIN_SHARED = CompiledQuery.raw(`begin; select pg_advisory_xact_lock_shared(${LEDGER_LOCK})`);
const BEGIN_UNLOCKED = CompiledQuery.raw("begin");
/** One moment of the whole ledger, for audits and exports. */
const BEGIN_SNAPSHOT = CompiledQuery.raw("begin isolation level repeatable read read only");

export class LedgerPostgresDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await connection.executeQuery(
      settings.accessMode === "read only"
        ? BEGIN_SNAPSHOT
        : settings.isolationLevel === "read committed"
          ? BEGIN_SHARED
          : settings.isolationLevel === "read uncommitted"
            ? BEGIN_UNLOCKED
            : BEGIN_ALONE,
    );
  }
}
