import type { Run, RunEvent } from "@drydock/protocol";

/** A run with all of its events, as the ledger has them. */
export interface RecordedRun {
  run: Run;
  events: readonly RunEvent[];
}
