import { canonicalJson } from "../chain/canonical-json.ts";
import { sha256 } from "../chain/hash-entries.ts";

/** A run that a cut left in place although the ledger's chain has lost entries about it. */
export interface CarriedRun {
  runId: string;
  /** The last entry about the run that was cut: how many events it had, its head then, and whether it had ended. */
  events: number;
  headHash: string;
  ended: boolean;
}

/**
 * What a retention cut leaves: the chain up to `position` is gone, and went on from `hash`. Its own entry in the chain
 * (kind `checkpoint`) covers this text, so that it can be neither changed nor made up later. Counts are totals over
 * all cuts so far.
 */
export interface Checkpoint {
  position: number;
  hash: string;
  before: string;
  at: string;
  removedRuns: number;
  removedEvents: number;
  carried: CarriedRun[];
}

export function encodeCheckpoint(checkpoint: Checkpoint): { data: string; hash: string } {
  const data = canonicalJson(checkpoint);
  return { data, hash: sha256(data) };
}

export function decodeCheckpoint(data: string): Checkpoint {
  return JSON.parse(data) as Checkpoint;
}
