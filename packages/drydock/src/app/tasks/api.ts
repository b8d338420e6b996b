import type { CodeBlock, ExecResult, PolicyDocument } from "@drydock/protocol";

export interface RunBlockOptions {
  /** Default: the last one. */
  version?: number;
  session?: string;
  workspace?: string;
  policy?: PolicyDocument;
  signal?: AbortSignal;
  onOutput?: (chunk: { stream: "stdout" | "stderr"; text: string }) => void;
}

/** Code blocks have names, and versions counted from 1. */
export interface CodeBlocks {
  /** All versions of all blocks of a run, in the order in which they were written. */
  list(runId: string): Promise<CodeBlock[]>;
  /** Adds a version that a person wrote. */
  edit(runId: string, name: string, code: string): Promise<CodeBlock>;
  /** Executes a block again, as a run of its own. */
  run(runId: string, name: string, options?: RunBlockOptions): Promise<ExecResult>;
}
