import type { Language, StepOutcome } from "@drydock/protocol";
import type { ExecutionResult } from "../ports.ts";
import type { WorkflowOutcome } from "../run-workflow.ts";

/**
 * The sandbox of one conversation, as its tools use it. Code runs in one Python session, which is opened with the first
 * use and keeps variables and files. All of it holds to the policy of the call.
 */
export interface ConversationSandbox {
  run(code: string): Promise<ExecutionResult>;
  /** Runs code in a fresh sandbox, without the conversation's variables and files. */
  runOnce(request: { language: Language; code: string }): Promise<ExecutionResult>;
  /** Returns to the state after step `to`; without it, to the one before the last step. */
  rollback(to?: number): Promise<{ step: number; kept: number[] }>;
  /** A model writes the code for an instruction, which runs in the session. */
  runTask(instruction: string): Promise<StepOutcome>;
  runWorkflow(instructions: readonly string[]): Promise<WorkflowOutcome>;
}
