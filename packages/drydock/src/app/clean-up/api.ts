import type { DiskUsage, PruneReport } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";

export interface PruneOptions {
  /** What ended, or was used for the last time, before then is removed. */
  before: Date;
  /** The artifacts of removed runs stay, and can be read by their ids. */
  keepArtifacts?: boolean;
  /** Says what would be removed, and removes nothing. */
  dryRun?: boolean;
}

export interface CleanUp {
  /** Removes old runs and environments. The ledger keeps a checkpoint, so that the audit still holds and says so. */
  prune(options: PruneOptions): Promise<PruneReport>;
  /** How much space each part of the home takes. */
  diskUsage(): Promise<DiskUsage>;
}

/** @internal Each method loads its code with its first call. */
export function createCleanUp(ledger: Ledger, home: string): CleanUp {
  return {
    prune: async (options) => (await import("./prune-home.ts")).pruneHome(ledger, home, options),
    diskUsage: async () => (await import("./measure-home.ts")).measureHome(ledger, home),
  };
}
