import type { ExecResult, Layer } from "@drydock/protocol";
import type { Drafts, Observed } from "../sandbox/index.ts";

export type { Documents, Journal, JournalEntry } from "../models/index.ts";

/** One execution on a tree: the workspace with `layer` on it, in a fresh sandbox. */
export interface TreeRun {
  layer: Layer | null;
  /** Contents of the layer that the run does not keep. */
  drafts?: Drafts;
  language?: "python" | "bash" | "node";
  code?: string;
  command?: string[];
  timeoutSeconds: number;
  /** Hosts that may be reached, a subset of those that the policy allows. Default: none. */
  network?: string[];
  stdin?: string;
  signal?: AbortSignal;
  /** What it may write, where that is less than the policy allows. */
  scope?: readonly string[];
  /** Variables that it finds whatever those of the host are. */
  environment?: Record<string, string>;
  /** Its changes are not needed: contents are not kept. */
  discard?: boolean;
  /** Files of the tree that nothing in the run can change, replace or move away. */
  pin?: readonly string[];
  /** Whether the files that each program asks for are noted. */
  observe?: boolean;
  /** With `observe`: it stays on half of the processors, and leaves the others to the run that it is beside. */
  aside?: boolean;
  /** It may ask its sandbox for copies of its processes, each in a place of its own, where the sandbox can make some. */
  forks?: boolean;
  /** Called with what it prints to standard output, while it runs. */
  onStdout?: (text: string) => void;
  /** A program of ours: it is started from the system, whatever the project has under its name. */
  trusted?: boolean;
}

export interface TreeRunResult extends Pick<ExecResult, "ok" | "stdout" | "stderr" | "result" | "error" | "usage"> {
  /** Null where it did not exit by itself. */
  exitCode: number | null;
  /** What the tree is after it, cumulative; its contents are kept. */
  layer: Layer;
  /** Paths that somebody else changed in the directory below meanwhile. */
  changedUnderneath: string[];
  /** Present if requested and if the sandbox supports it. */
  observed?: Observed;
  /** Beside `observed`: what it wrote to or replaced, also where nothing came of it, and what its layer brought. */
  touched?: string[];
}

/** The one door, as the engine sees it. */
export interface TreeRunner {
  run(request: TreeRun): Promise<TreeRunResult>;
}
