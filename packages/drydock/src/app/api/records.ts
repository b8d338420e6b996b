import type { ReportFormat } from "@drydock/protocol";

export interface WrittenRecords {
  directory: string;
  files: number;
  /** What could not be written, in one sentence; null where all is there. */
  warning: string | null;
}

export interface RunReportOptions {
  /** `html` (default): one self-contained page. `junit` and `sarif`: the checks, for tools that read these. */
  format?: ReportFormat;
  /** SARIF: the directory that paths are relative to, such as a repository's root. Default: the run's workspace. */
  root?: string;
}

export interface Records {
  /** What a run did and proved, as one file to be sent to somebody. */
  report(id: string, options?: RunReportOptions): Promise<string>;
  /** Writes the run's readable directory; DRYDOCK_HOME/runs/ID where no other is named. */
  writeRecords(id: string, directory?: string): Promise<WrittenRecords>;
}
