import type { Language, PolicyDocument, SessionInfo, StepResult } from "@drydock/protocol";
import type { ScanProgress } from "../../sandbox/index.ts";
import type { OutputChunk } from "../runs/api.ts";

export interface StepOptions {
  /** The run that the step is a part of. */
  parentRunId?: string;
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void;
  policy?: PolicyDocument;
  unsafe?: boolean;
  /** The run that the step repeats. */
  replayOf?: string;
  /** Only inspects the state, for example to complete a name. Its effects are undone, and it does not count as a step. */
  look?: boolean;
}

export interface Session {
  readonly id: string;
  exec(code: string, options?: StepOptions): Promise<StepResult>;
  /** Returns to the state after step `to` (0: before the first); without it, to the one before the last. */
  rollback(to?: number): Promise<{ step: number; kept: number[]; notes: string[] }>;
  /**
   * Copies of the session as it is now, with its variables and files, each in a sandbox of its own. All of them, or none:
   * DrydockError `session.fork_refused` or `session.limit`. Without a number, one. Python only.
   */
  fork(count?: number): Promise<Session[]>;
  stats(): SessionInfo;
  close(): Promise<void>;
}

export interface SessionOptions {
  language?: Extract<Language, "python" | "node">;
  workspace?: string;
  policy?: PolicyDocument;
  /** Other defaults than the usual ones, cut to the ceiling. A request above the ceiling is refused instead. */
  preset?: PolicyDocument;
  /** Cancels opening: a large workspace takes long to read. It has no effect on an open session. */
  signal?: AbortSignal;
  onReading?: (progress: ScanProgress) => void;
}

export interface SessionTotals {
  live: number;
  opened: number;
  closedIdle: number;
  steps: number;
  failedSteps: number;
}

export interface Sessions {
  open(options?: SessionOptions): Promise<Session>;
  /** DrydockError `session.not_found` where there is none. */
  get(id: string): Session;
  list(): SessionInfo[];
  totals(): SessionTotals;
}
