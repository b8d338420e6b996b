import type { AuditReport } from "@drydock/protocol";

export interface CopyOptions {
  home: string;
  databaseUrl: string;
  onProgress?: (progress: CopyProgress) => void;
}

export interface CopyProgress {
  /** `contents`, or a table. */
  what: string;
  done: number;
}

export interface CopyResult {
  /** Where it is now, as may be shown. */
  place: string;
  runs: number;
  events: number;
  contents: number;
  head: NonNullable<AuditReport["head"]>;
  /** An earlier attempt had come so far that this one went on with it. */
  resumed: boolean;
}
