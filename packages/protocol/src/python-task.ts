import * as z from "zod";
import { CheckResult } from "./check.ts";
import { ErrorInfo } from "./errors/errors.ts";
import { ArtifactRef, Language } from "./exec.ts";
import { GoalUsage } from "./goal-events.ts";
import { Change } from "./layer.ts";
import { Verdict } from "./run/run.ts";

/** Earlier steps of the caller, in this conversation or another. */
export const EarlierStep = z.strictObject({
  instruction: z.string().describe("The instruction of that step."),
  code: z.string().optional().describe("Python code that was run for it."),
  output: z.string().optional().describe("What the code printed."),
});
export type EarlierStep = z.infer<typeof EarlierStep>;

export const ChatMessage = z.strictObject({
  role: z.enum(["user", "assistant"]).describe("Who wrote the message: `user` or `assistant`."),
  text: z.string().describe("What the message says."),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** The context of a task besides its instruction. */
export const TaskContext = z.strictObject({
  variables: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("JSON values that the code finds as variables of these names."),
  steps: z.array(EarlierStep).optional().describe("What was done before, the oldest first."),
  files: z.array(z.string()).optional().describe("Paths of files in the work directory that matter for the task."),
  chat: z.array(ChatMessage).optional().describe("The conversation so far, the oldest message first."),
  notes: z.string().optional().describe("Anything else that the model should know."),
});
export type TaskContext = z.infer<typeof TaskContext>;

/** A file that is put into the work directory before the task. */
export const Attachment = z.strictObject({
  name: z.string().min(1).describe("Path of the file in the work directory, such as `data.csv`."),
  content: z.string().describe("The file's content: text, or bytes as base64. All attachments: at most 64 MB."),
  encoding: z.enum(["utf8", "base64"]).optional().describe("How `content` is encoded. Default: utf8."),
});
export type Attachment = z.infer<typeof Attachment>;

/** Code that was written and run once. */
export const CodeAttempt = z.object({
  attempt: z.number().int().describe("Number of the attempt, counted from 1."),
  block: z.string().describe("Name of the code block, such as `task` or `step-2`."),
  version: z.number().int().describe("Version of the block that this attempt wrote, counted from 1."),
  code: z.string().describe("The Python code that the model wrote."),
  ok: z.boolean().describe("True if the code ran to its end."),
  output: z.string().describe("What the code printed."),
  stderr: z.string().describe("What the code wrote to standard error."),
  result: z.unknown().describe("The value that the code ended with."),
  error: ErrorInfo.nullable().describe("Why it failed; null if it did not."),
  runId: z.string().nullable().describe("Id of the run that executed the code; null if the answer held no code."),
  durationMs: z.number().describe("Time that the execution took, in milliseconds."),
});
export type CodeAttempt = z.infer<typeof CodeAttempt>;

/** What became of one instruction. */
export const StepOutcome = z.object({
  ok: z.boolean().describe("True if the code ran to its end and no check failed."),
  instruction: z.string().describe("The instruction that the code was written for."),
  code: z.string().describe("The code of the last attempt."),
  attempts: z.array(CodeAttempt).describe("Each piece of code that was written and run, in order."),
  output: z.string().describe("What the last attempt printed."),
  stderr: z.string().describe("What the last attempt wrote to standard error."),
  result: z.unknown().describe("The value of the last attempt. A value that JSON lacks is `{ type, repr }`."),
  variables: z.record(z.string(), z.string()).describe("Names and types of the variables afterwards."),
  artifacts: z.array(ArtifactRef).describe("Files that the code made, and pictures that it showed."),
  changes: z.array(Change).describe("Files that the code changed, in its own layer."),
  verdict: Verdict,
  checks: z.array(CheckResult).describe("One result for each check."),
  error: ErrorInfo.nullable().describe("Why it failed; null if it did not."),
  notes: z.array(z.string()).describe("Remarks that are not errors."),
});
export type StepOutcome = z.infer<typeof StepOutcome>;

const sessionUsed = z
  .string()
  .nullable()
  .describe(
    "Id of the session that the request named; null if it named none. It then ran in a session of its own, which is closed.",
  );
const modelUsage = GoalUsage.describe("Model calls, tokens and cost.");

export const PythonTaskResult = z.object({
  ...StepOutcome.shape,
  runId: z.string().describe("Id of the task's run in the ledger, `run_…`."),
  sessionId: sessionUsed,
  usage: modelUsage,
});
export type PythonTaskResult = z.infer<typeof PythonTaskResult>;

export const WorkflowStepResult = z.object({
  ...StepOutcome.shape,
  step: z.number().int().describe("Number of the step, counted from 1."),
  status: z
    .enum(["done", "failed", "skipped", "restored"])
    .describe("What became of the step. `restored`: executed again from the record of the run that is resumed."),
});
export type WorkflowStepResult = z.infer<typeof WorkflowStepResult>;

export const PythonWorkflowResult = z.object({
  ok: z.boolean().describe("True if every step succeeded and no check failed."),
  runId: z.string().describe("Id of the workflow's run in the ledger, `run_…`."),
  sessionId: sessionUsed,
  steps: z.array(WorkflowStepResult).describe("One result for each instruction, in order."),
  failedStep: z.number().int().nullable().describe("Number of the first step that failed; null if none did."),
  artifacts: z.array(ArtifactRef).describe("Files that all steps made, and pictures that they showed."),
  verdict: Verdict,
  error: ErrorInfo.nullable().describe("Why the first failed step failed; null if none did."),
  usage: modelUsage,
});
export type PythonWorkflowResult = z.infer<typeof PythonWorkflowResult>;

/** A named piece of code of a run, in one of its versions. */
export const CodeBlock = z.object({
  runId: z.string(),
  name: z.string(),
  version: z.number().int(),
  language: Language,
  code: z.string(),
  /** Who wrote this version. */
  author: z.enum(["model", "person"]),
  /** How its execution ended; null if it was not executed yet. */
  ok: z.boolean().nullable(),
  executionRunId: z.string().nullable(),
});
export type CodeBlock = z.infer<typeof CodeBlock>;

/** What an agent that executes code gives back. */
export const ExecutedCode = z.object({
  success: z.boolean(),
  code: z.string(),
  output: z.string(),
  result: z.unknown(),
  error: ErrorInfo.nullable(),
});
export type ExecutedCode = z.infer<typeof ExecutedCode>;

export const AgentToolCall = z.object({
  name: z.string().describe("Name of the tool that the model called."),
  arguments: z.record(z.string(), z.unknown()).describe("Arguments that the model gave, by name."),
  text: z.string().describe("What the tool answered to the model."),
  failed: z.boolean().describe("True if the call failed."),
  runId: z.string().nullable().describe("Id of the run, if the tool is another agent; else null."),
});
export type AgentToolCall = z.infer<typeof AgentToolCall>;

/** An agent as others see it: schemas as JSON Schema. */
export const AgentInfo = z.object({
  name: z.string().describe("Name of the agent, which `POST /agents/{name}` takes."),
  description: z.string().describe("What the agent does, in its author's words."),
  input: z.record(z.string(), z.unknown()).describe("JSON Schema of what it takes."),
  output: z.record(z.string(), z.unknown()).describe("JSON Schema of what it gives back."),
  executes: Language.nullable().describe("Language of the code that it writes and runs; null if it runs none."),
  model: z.string().nullable().describe("Model that it is bound to, as `provider/name`; null: the configured one."),
  tools: z.array(z.string()).describe("Names of the tools that it may call."),
});
export type AgentInfo = z.infer<typeof AgentInfo>;
