import type { EventType, ExecResult, Layer, RunEvent } from "@drydock/protocol";

/** One execution on a tree: the workspace with `layer` on it, in a fresh sandbox. */
export interface TreeRun {
  layer: Layer | null;
  language?: "python" | "bash" | "node";
  code?: string;
  command?: string[];
  timeoutSeconds: number;
  /** Hosts that may be reached, out of those that the policy allows; none where it is not given. */
  network?: string[];
  stdin?: string;
  signal?: AbortSignal;
  /** What it may write, where that is less than the policy allows. */
  scope?: readonly string[];
  /** Variables that it finds whatever those of the host are. */
  environment?: Record<string, string>;
  /** Nobody will look at what it writes: contents are not kept. */
  discard?: boolean;
}

export interface TreeRunResult extends Pick<ExecResult, "ok" | "stdout" | "stderr" | "result" | "error" | "usage"> {
  /** Null where it did not exit by itself. */
  exitCode: number | null;
  /** What the tree is after it, cumulative; its contents are kept. */
  layer: Layer;
  /** Paths that somebody else changed in the directory below meanwhile. */
  changedUnderneath: string[];
}

/** The one door, as the engine sees it. */
export interface TreeRunner {
  run(request: TreeRun): Promise<TreeRunResult>;
}

export interface JournalEntry {
  type: EventType;
  /** Says which step this is the record of: the same step has the same key whenever and wherever it is made. */
  key: string;
  data: Record<string, unknown>;
}

/** The events of one run, as memory of what has been done: a step with a record is not made again. */
export interface Journal {
  readonly runId: string;
  /** The last event of this type with this key. */
  find(type: EventType, key: string): RunEvent | undefined;
  events(): readonly RunEvent[];
  /** All or none, in order. */
  append(entries: readonly JournalEntry[]): Promise<void>;
}

/** What is too long for an event. */
export interface Papers {
  /** For people: without secrets. Returns the artifact's id. */
  file(name: string, text: string): Promise<string>;
  /** For the engine: exactly as it is. Returns the hash. */
  keep(text: string): Promise<string>;
  read(sha256: string): Promise<string>;
}
