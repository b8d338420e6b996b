import type { LedgerTransaction } from "../database/schema.ts";
import type { LocalContents, StagedContent } from "./local-contents.ts";

/**
 * Contents by their SHA-256, each kept once. A row that refers to one is committed only after the content is in its place,
 * and a content is removed only after its last row; so no row ever points nowhere.
 */
export interface ContentStore extends Pick<LocalContents, "stage" | "clearStaging"> {
  /** Puts contents where all that share the ledger find them; before the transaction that refers to them. */
  publish(staged: readonly StagedContent[]): Promise<void>;
  /** Inside that transaction: from then on they stay. */
  settle(trx: LedgerTransaction, staged: readonly StagedContent[]): Promise<void>;
  /** A file of this machine with the content, which must not be changed. Where none is there, it is fetched. */
  locate(sha256: string): Promise<string>;
  /** Fetches what this machine has not, many at once. */
  bring(contents: readonly string[]): Promise<void>;
  /** Inside the transaction that looks whether they are needed: nobody else may come to need them until it ends. */
  hold(trx: LedgerTransaction, contents: readonly string[]): Promise<void>;
  remove(trx: LedgerTransaction, contents: readonly string[]): Promise<void>;
  list(): Promise<{ sha256: string; size: number }[]>;
  /** Those that have been there since before then. */
  listOld(before: Date): Promise<string[]>;
}

/** A ledger of one machine: the files are all there is. */
export function keepLocally(local: LocalContents): ContentStore {
  return {
    stage: local.stage,
    clearStaging: local.clearStaging,
    publish: async () => {},
    async settle(_trx, staged) {
      for (const content of staged) content.settle();
    },
    locate: async (sha256) => local.path(sha256),
    bring: async () => {},
    hold: async () => {},
    async remove(_trx, contents) {
      for (const sha256 of contents) local.remove(sha256);
    },
    list: async () => local.list(),
    listOld: async (before) => local.listOld(before),
  };
}
