import type { CodeBlock, ExecResult, PolicyDocument, PythonTaskResult, PythonWorkflowResult } from "@drydock/protocol";
import type { AgentHost, PythonTaskOptions, PythonWorkflowOptions } from "../../tasks/index.ts";

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

/** `AgentHost`: agents of the library are called on a dock. */
export interface PythonTasks extends AgentHost {
  /**
   * Has a model write Python for an instruction, runs it in the sandbox, and sends failures back a bounded number of
   * times. Rejects for what can't be read; whatever the model, the code or the policy did is a result.
   */
  executePythonTask(instruction: string, options?: PythonTaskOptions): Promise<PythonTaskResult>;
  /** Several instructions, one after the other, on one state. What a failed step did is taken back. */
  executePythonWorkflow(
    instructions: readonly string[],
    options?: PythonWorkflowOptions,
  ): Promise<PythonWorkflowResult>;
  /** The code that tasks, workflows and agents wrote. */
  readonly blocks: CodeBlocks;
}
