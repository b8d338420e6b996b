import type { SharedContents } from "../content/shared-contents.ts";
import type { Members } from "./members.ts";
import type { RunWatcher } from "./run-watcher.ts";
import type { LedgerDatabase } from "./schema.ts";

/** One open database of a ledger: what is asked of it, and what differs from database to database besides queries. */
export interface LedgerStore {
  readonly db: LedgerDatabase;
  /** Opened only to be read, because it can't be written. */
  readonly isReadOnly: boolean;
  /** Where it is, as may be shown. */
  readonly place: string;
  /** Of its software: `SQLite 3.50.4`, `PostgreSQL 15.14`. */
  readonly version: string;
  /** Whether processes of other machines may use it, too. */
  readonly isShared: boolean;
  /** The machines that use it; only where it is shared. */
  readonly members?: Members;
  /** Where contents lie for all of them; only where it is shared. */
  readonly contents?: SharedContents;
  /** Tells followers of new events. */
  readonly watcher: RunWatcher;
  /** Reason and remedy for whatever the database or the file system refused. Drydock's own errors pass through. */
  toError(error: unknown): unknown;
  /** Tries a transaction again that the database gave up in favour of another one; only where that happens. */
  repeat?<T>(transact: () => Promise<T>): Promise<T>;
  /** A database for long reads: a read-only transaction of it sees one moment, and blocks no other query. */
  openSnapshot(): LedgerDatabase;
  /** Bytes on the server's disk, without contents; only where it is no file of the home. */
  measureServer?(): Promise<number>;
  /** Bytes that removed rows left free. */
  measureFreeSpace(): Promise<number>;
  /** Gives them back to the disk, where that is worth it; returns how many. */
  reclaimSpace(): Promise<number>;
  close(): Promise<void>;
  /** For a process that ends now; see `Ledger.leave`. */
  leave(): Promise<void>;
}
