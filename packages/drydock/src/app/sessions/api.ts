import type { Language, PolicyDocument, Rollback, SessionInfo, SessionTotals, StepResult } from "@drydock/protocol";
import type { ScanProgress } from "../../sandbox/index.ts";
import type { BoxTerminal, BoxTerminalOptions } from "../boxes/api.ts";
import type { InputOptions, OutputChunk } from "../runs/api.ts";

/** Input is for Python sessions. */
export interface StepOptions extends InputOptions {
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
  /** The step is a terminal, and its record says so. */
  terminal?: boolean;
}

export interface Session {
  readonly id: string;
  exec(code: string, options?: StepOptions): Promise<StepResult>;
  /**
   * Returns to the state after step `to` (0: before the first); without it, to the one before the last. One that is not kept any
   * more is made again by running the recorded steps in a new interpreter. Where that can't be, the session stays as it is:
   * DrydockError `session.rollback_refused`, or `run.cancelled` by the signal.
   */
  rollback(to?: number, options?: Pick<StepOptions, "signal">): Promise<Rollback>;
  /**
   * Copies of the session as it is now, with its variables and files, each in a sandbox of its own. All of them, or none:
   * DrydockError `session.fork_refused` or `session.limit`, or `run.cancelled` by the signal. Without a number, one. Python
   * only.
   */
  fork(count?: number, options?: Pick<StepOptions, "signal">): Promise<Session[]>;
  stats(): SessionInfo;
  close(): Promise<void>;
}

export interface SessionOptions {
  language?: Extract<Language, "python" | "node">;
  workspace?: string;
  policy?: PolicyDocument;
  /** Other defaults than the usual ones, cut to the ceiling. A request above the ceiling is refused instead. */
  preset?: PolicyDocument;
  /** Python packages that its code finds: lines as in `requirements.txt`, or the path of such a file. */
  requirements?: string | readonly string[];
  /** Whether to install those that are missing, where the owner's policy allows the package index. Default false. */
  install?: boolean;
  /** Cancels opening: a large workspace takes long to read. It has no effect on an open session. */
  signal?: AbortSignal;
  onReading?: (progress: ScanProgress) => void;
}

export interface Sessions {
  open(options?: SessionOptions): Promise<Session>;
  /** DrydockError `session.not_found` where there is none here. */
  get(id: string): Session;
  /** The same; the error says when and why a session ended, or which process has it. */
  find(id: string): Promise<Session>;
  list(): SessionInfo[];
  /**
   * A shell with a terminal, as a step of a Python session: other steps wait until it is left, and its files are the session's then.
   * DrydockError `limit.concurrency` where the session has one already.
   */
  openTerminal(id: string, options: BoxTerminalOptions): Promise<BoxTerminal>;
  /** Figures of all sessions of the home, from the ledger. */
  totals(): Promise<SessionTotals>;
}
