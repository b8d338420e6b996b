import type {
  AuditReport,
  DsseEnvelope,
  EventMatches,
  KeyInfo,
  ReplayResult,
  SearchEventsOptions,
  SignedHead,
} from "@drydock/protocol";
import type { ReplayOptions } from "../replays/api.ts";

export interface ReceiptOptions {
  /** Adds what is needed to execute the run again elsewhere. Files and answers are in it as they are, unredacted. */
  withRecord?: boolean;
}

export interface Receipt {
  runId: string;
  keyId: string;
  /** Signed envelopes, one a line: an in-toto bundle. */
  text: string;
  /** What could not be put in, in one sentence each. */
  notes: string[];
}

export interface Receipts {
  /**
   * A signed statement of what the run's checks proved, that others can verify without this home. DrydockError
   * `input.invalid` for a run that nothing was checked in, or that has not ended.
   */
  receipt(id: string, options?: ReceiptOptions): Promise<Receipt>;
  /**
   * Executes the run of a receipt with a record again, on this machine and under this home's policy, and compares.
   * DrydockError `input.invalid` for a receipt that is not whole or has no record.
   */
  replayReceipt(bytes: Uint8Array, options?: ReplayReceiptOptions): Promise<ReplayResult>;
}

export interface VerifyReceiptOptions {
  /** The key that must have signed it: a public key as PEM, or its id. */
  key?: string;
  /** A directory that must be the very tree that was judged. */
  tree?: string;
}

export interface ReplayReceiptOptions extends Omit<ReplayOptions, "network"> {
  /** The key that must have signed it: a public key as PEM, or its id. */
  key?: string;
}

export interface Anchored {
  head: SignedHead;
  envelope: DsseEnvelope;
  /** What to keep: the envelope as one line. */
  line: string;
}

export interface Keys {
  /** The keys of this home, the oldest first; public halves only. */
  list(): Promise<KeyInfo[]>;
  /** The one that signs; it is made where there is none. */
  current(): Promise<KeyInfo>;
  rotate(): Promise<KeyInfo>;
}

export interface Audit {
  /** `expect`: heads that were kept elsewhere (anchors, receipts, or a hash); the chain must still hold each of them. */
  verify(options?: { expect?: string }): Promise<AuditReport>;
  /** The current end of the chain, signed, to be kept where it can't be changed together with the ledger. */
  anchor(): Promise<Anchored>;
  /** Events of all runs by their words: those of the newest runs first, of one run the last first. */
  search(options?: SearchEventsOptions): Promise<EventMatches>;
  export(): AsyncIterable<string>;
}
