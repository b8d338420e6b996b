import type { RawChange } from "../layers/index.ts";

/** What a warden tells when a run or a step is over. */
export interface Done {
  ending: { kind: string; [key: string]: unknown };
  usage?: { wallMs: number; cpuMs: number; peakMemoryBytes: number };
  kept?: number[];
  step?: number;
  /** Of a step: whether the interpreter that ran it is the session's state now. */
  alive?: boolean;
  /** The session has ended with this step. */
  over?: boolean;
  notes?: string[];
  /** The forks that were made, by the names that they greet with. */
  forks?: string[];
  memoryBytes?: number;
  /** The guard let the code through: what the code's report says of it is not true. */
  guardPassed?: boolean;
  /** The programs that ran and the files that they opened; only of an observed run. */
  observed?: Observed;
  /** Nothing speaks against another run in the slot so far. */
  reusable?: boolean;
  /** The slot has had a run before this one. */
  reused?: boolean;
}

export interface ObservedProgram {
  /** The file that was executed. */
  program: string;
  arguments: string[];
  /** Its working directory. */
  directory: string;
  /** The program that started it; null: the sandbox. */
  parent: number | null;
  /** Directories of the workspace in which it looks for programs by their names. */
  searched: string[];
}

/** Each program that ran, and each path of the workspace that it opened or tried to open. */
export interface Observed {
  programs: ObservedProgram[];
  /** The program's place in the list, how, and the path. */
  paths: [program: number | null, how: "read" | "write" | "exec" | "missing", path: string][];
  truncated: boolean;
}

export interface Transcript {
  /** Null: the member was gone before it could tell. */
  done: Done | null;
  /** What the code says of itself: detail, never proof. */
  report: unknown;
  stdout: Buffer[];
  stderr: Buffer[];
  figures: { name: string; bytes: Buffer }[];
  changes: RawChange[];
  /** Contents of changed files, by hash. */
  contents: Map<string, Buffer | string>;
  /** The code waited for input. */
  hasAsked?: boolean;
  /** Why its input ended before its end. */
  inputFailure?: string;
}
