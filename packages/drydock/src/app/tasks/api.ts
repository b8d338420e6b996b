import type {
  AskResult,
  ChatMessage,
  CodeBlock,
  ExecResult,
  PolicyDocument,
  PythonTaskResult,
  PythonWorkflowResult,
} from "@drydock/protocol";
import type { AgentHost, PythonTaskOptions, PythonWorkflowOptions } from "../../tasks/index.ts";
import type { Session } from "../sessions/api.ts";

export interface AskOptions extends Omit<PythonTaskOptions, "context" | "checks" | "attempts" | "session"> {
  /** A live session, by its id or itself: its variables and files are there, and stay. Default: one of its own. */
  session?: string | Session;
  /** What was said before, the oldest first. */
  chat?: readonly ChatMessage[];
  /** Instructions for the model that come before Drydock's own. */
  system?: string;
  /** Answers of the model until the call must end. Default 20. */
  maxTurns?: number;
}

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
   * Answers words. The model decides whether code is needed, runs it in the sandbox, looks at the output and goes on.
   * Without a model, what is Python code already is run as it is. Rejects for what can't be read.
   */
  ask(words: string, options?: AskOptions): Promise<AskResult>;
  /**
   * Has a model write Python for an instruction, runs it in the sandbox, and sends failures back a bounded number of
   * times. Rejects for what can't be read; whatever the model, the code or the policy did is a result.
   */
  executePythonTask(instruction: string, options?: PythonTaskOptions): Promise<PythonTaskResult>;
  /** Several instructions (a list, or one as JSON text), one after the other, on one state. What a failed step did is taken back. */
  executePythonWorkflow(
    instructions: readonly string[] | string,
    options?: PythonWorkflowOptions,
  ): Promise<PythonWorkflowResult>;
  /** The code that tasks, workflows and agents wrote. */
  readonly blocks: CodeBlocks;
}
