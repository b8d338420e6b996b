import type { CheckResult, ErrorInfo, ReportFormat, StrengthEvidence } from "@drydock/protocol";

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

/** What a run's verdict rests on, and what became of its changes. */
export interface RunFindings {
  /** Why it has its verdict, in one sentence; of a run that was lost: what that means. */
  reason: string;
  /** What it ended with: code, message and hint. Null where it did not fail, or was lost. */
  error: ErrorInfo | null;
  /** The last checks of each task, and those of the whole result. `task` is null for checks of a directory or of the whole. */
  checks: { task: string | null; title: string; result: CheckResult }[];
  strength: StrengthEvidence | null;
  /** `layer.applied`, `layer.reverted`, `layer.discarded`, in order. */
  deliveries: { type: string; at: string; branch: string | null; commit: string | null; reason: string | null }[];
  /** The run that it follows; null: none. */
  follows: string | null;
  /** The runs that follow it, the oldest first. */
  followedBy: string[];
}

export interface Records {
  /** What a run's verdict rests on: each check with its tests, its control, and what it proves. */
  findings(id: string): Promise<RunFindings>;
  /** What a run did and proved, as one file to be sent to somebody. */
  report(id: string, options?: RunReportOptions): Promise<string>;
  /** Writes the run's readable directory; DRYDOCK_HOME/runs/ID where no other is named. */
  writeRecords(id: string, directory?: string): Promise<WrittenRecords>;
}
