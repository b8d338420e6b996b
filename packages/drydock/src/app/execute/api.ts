import type { ExecRequest } from "@drydock/protocol";
import type { ScanProgress } from "../../sandbox/index.ts";
import type { OutputChunk } from "../runs/api.ts";

/** What can be sent to the code: all at once, or while it runs. */
export type Input = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface ExecOptions extends Omit<ExecRequest, "requirements"> {
  /** Python packages that the code finds: lines of a requirements.txt, or the path of one. */
  requirements?: string | readonly string[];
  stdin?: Input;
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void;
  /** Told while a workspace is read that was not seen before: how many entries, and how many files' contents. */
  onReading?: (progress: ScanProgress) => void;
  /** Called once the run is on record, before it waits for its turn. */
  onStarted?: (runId: string) => void;
  /** Lifts the Python guard to `off`; the sandbox stays as it is. */
  unsafe?: boolean;
  /** The run that this is a part of. */
  parentRunId?: string;
}
