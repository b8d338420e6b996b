import type { ExecRequest, ExecResult } from "@drydock/protocol";
import type { ScanProgress } from "../../sandbox/index.ts";
import type { InputOptions, OutputChunk } from "../runs/api.ts";

export interface ExecOptions extends Omit<ExecRequest, "requirements">, InputOptions {
  /** Python packages that the code finds: lines of a requirements.txt, or the path of one. */
  requirements?: string | readonly string[];
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void;
  /** Called while a new workspace is read, with the number of entries and of files read. */
  onReading?: (progress: ScanProgress) => void;
  /** Called once the run is on record, before it waits for its turn. */
  onStarted?: (runId: string) => void;
  /** Lifts the Python guard to `off`; the sandbox stays as it is. */
  unsafe?: boolean;
  /** The run that this is a part of. */
  parentRunId?: string;
  /** Who asks, where several people use one dock: runs of two callers never have the same slot. */
  caller?: string;
}

/** When a worker carries it out. */
export interface QueueOptions {
  /** From -20 to 20: runs of a higher level go first. Default: 0. */
  priority?: number;
  /** It waits until then. */
  startAfter?: Date;
  /** Labels that a worker must have. */
  needs?: readonly string[];
}

export interface Execution {
  exec(options: ExecOptions): Promise<ExecResult>;
}
