import type { LedgerTransaction } from "../database/schema.ts";

/** A content as it lies on this machine. */
export interface LocalContent {
  sha256: string;
  size: number;
  /** Where it can be read. */
  file(): string;
}

/** Where contents lie that several machines need: each once, by its SHA-256. */
export interface SharedContents {
  /** Where that is, as may be shown. */
  readonly place: string;
  /** Stores those that are not there. What has another hash than its name is refused. */
  keep(contents: readonly LocalContent[]): Promise<void>;
  /**
   * Inside the transaction that refers to them: nobody removes them until it ends. One that an expiry has removed since
   * `keep` is stored again.
   */
  confirm(trx: LedgerTransaction, contents: readonly LocalContent[]): Promise<void>;
  /** The bytes of each of these that is there, one content after the other. */
  read(contents: readonly string[]): AsyncIterable<{ sha256: string; bytes: Buffer }>;
  /** Inside the transaction that looks whether they are needed: `confirm` waits until it ends. */
  hold(trx: LedgerTransaction, contents: readonly string[]): Promise<void>;
  remove(trx: LedgerTransaction, contents: readonly string[]): Promise<void>;
  list(): Promise<{ sha256: string; size: number }[]>;
  listOld(before: Date): Promise<string[]>;
}
