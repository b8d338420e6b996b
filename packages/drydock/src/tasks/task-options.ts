import type { Attachment, Check, PolicyDocument, RunEvent, TaskContext } from "@drydock/protocol";
import type { OnProgress } from "./progress.ts";

/** A file for the work directory: text, bytes, or text in base64. */
export type AttachedFile = Omit<Attachment, "content"> & { content: string | Uint8Array };

interface Watching {
  signal?: AbortSignal;
  /** What the code prints, while it runs. */
  onOutput?: (chunk: { stream: "stdout" | "stderr"; text: string }) => void;
  /** Each event of the run once it is on record. */
  onEvent?: (event: RunEvent) => void;
  /** Prompts, words, code and timings as they come. */
  onProgress?: OnProgress;
}

export interface PythonTaskOptions extends Watching {
  /** What the model should know besides; also as JSON text, where other keys are taken for variables. */
  context?: TaskContext | string;
  /** A live session whose state the task goes on from, and leaves its own in. */
  session?: string;
  /** A directory that the code works on; it is never changed, the changes are in the run's layer. */
  workspace?: string;
  attachments?: readonly AttachedFile[];
  /** `provider/name`, several with commas as fallbacks, or `scripted:FILE`. Default: as configured. */
  model?: string;
  policy?: PolicyDocument;
  /** What must hold of the work directory afterwards. */
  checks?: readonly Check[];
  /** How often code may be written, at most. Default 3. */
  attempts?: number;
  budget?: { tokens?: number; usd?: number };
  /** Python packages that the code finds: lines of a requirements.txt, or the path of one. */
  requirements?: string | readonly string[];
  /** Whether those that are missing may be installed, where the policy allows the package index. Default: no. */
  install?: boolean;
}

export interface PythonWorkflowOptions extends Omit<PythonTaskOptions, "checks"> {
  /** Checks of the work directory after the last step. */
  checks?: readonly Check[];
  /** Default true: what comes after a failed step is skipped. */
  stopOnError?: boolean;
  /**
   * Goes on from `step` (counted from 1) of an earlier run. What that run did before is executed again from its record,
   * without a model; with `session`, it is taken to be there already.
   */
  resumeFrom?: { runId: string; step: number };
}
