export interface PruneOptions {
  /** What ended, or was used for the last time, before then is removed. */
  before: Date;
  /** The artifacts of removed runs stay, and can be read by their ids. */
  keepArtifacts?: boolean;
  /** Says what would be removed, and removes nothing. */
  dryRun?: boolean;
}

export interface PruneReport {
  before: string;
  dryRun: boolean;
  runs: number;
  events: number;
  environments: number;
  /** Bytes of files that are gone; 0 for a dry run. A large ledger's file keeps its size: `diskUsage` tells what is free in it. */
  freedBytes: number;
  /** The entry of the ledger's chain that records the cut; null where no run was removed. */
  checkpoint: { position: number; hash: string } | null;
}

export interface DiskUsage {
  home: string;
  totalBytes: number;
  parts: { name: string; bytes: number; detail: string }[];
}

export interface CleanUp {
  prune(options: PruneOptions): Promise<PruneReport>;
  diskUsage(): Promise<DiskUsage>;
}
