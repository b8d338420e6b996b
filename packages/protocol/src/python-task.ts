import * as z from "zod";
import { CheckResult } from "./check.ts";
import { ErrorInfo } from "./errors.ts";
import { ArtifactRef, Language } from "./exec.ts";
import { GoalUsage } from "./goal-events.ts";
import { Change } from "./layer.ts";
import { Verdict } from "./run.ts";

/** What was done before, in this conversation or another, by whoever asks. */
export const EarlierStep = z.strictObject({
  instruction: z.string(),
  code: z.string().optional(),
  output: z.string().optional(),
});
export type EarlierStep = z.infer<typeof EarlierStep>;

export const ChatMessage = z.strictObject({ role: z.enum(["user", "assistant"]), text: z.string() });
export type ChatMessage = z.infer<typeof ChatMessage>;

/** What a task is told besides its instruction. */
export const TaskContext = z.strictObject({
  /** JSON values that the code finds under these names. */
  variables: z.record(z.string(), z.unknown()).optional(),
  steps: z.array(EarlierStep).optional(),
  /** Files of the work directory that matter. */
  files: z.array(z.string()).optional(),
  chat: z.array(ChatMessage).optional(),
  /** Anything else that is worth knowing. */
  notes: z.string().optional(),
});
export type TaskContext = z.infer<typeof TaskContext>;

/** A file that is put into the work directory before the task. */
export const Attachment = z.strictObject({
  /** Its path there. */
  name: z.string().min(1),
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]).optional(),
});
export type Attachment = z.infer<typeof Attachment>;

/** Code that was written and run once. */
export const CodeAttempt = z.object({
  attempt: z.number().int(),
  /** The code block's name; each attempt is a version of it. */
  block: z.string(),
  version: z.number().int(),
  code: z.string(),
  ok: z.boolean(),
  output: z.string(),
  stderr: z.string(),
  result: z.unknown(),
  error: ErrorInfo.nullable(),
  /** The execution's own run; null where the answer held no code. */
  runId: z.string().nullable(),
  durationMs: z.number(),
});
export type CodeAttempt = z.infer<typeof CodeAttempt>;

/** What became of one instruction. */
export const StepOutcome = z.object({
  ok: z.boolean(),
  instruction: z.string(),
  /** Of the last attempt. */
  code: z.string(),
  attempts: z.array(CodeAttempt),
  output: z.string(),
  stderr: z.string(),
  /** JSON where the value can be, else `{ type, repr }`. */
  result: z.unknown(),
  /** Names and types of the variables afterwards. */
  variables: z.record(z.string(), z.string()),
  artifacts: z.array(ArtifactRef),
  changes: z.array(Change),
  verdict: Verdict,
  checks: z.array(CheckResult),
  error: ErrorInfo.nullable(),
  notes: z.array(z.string()),
});
export type StepOutcome = z.infer<typeof StepOutcome>;

export const PythonTaskResult = z.object({
  ...StepOutcome.shape,
  runId: z.string(),
  /** The session that was given; null where the task had one of its own, which is closed. */
  sessionId: z.string().nullable(),
  usage: GoalUsage,
});
export type PythonTaskResult = z.infer<typeof PythonTaskResult>;

export const WorkflowStepResult = z.object({
  ...StepOutcome.shape,
  /** Counted from 1. */
  step: z.number().int(),
  /** `restored`: executed again from the record of the run that is resumed. */
  status: z.enum(["done", "failed", "skipped", "restored"]),
});
export type WorkflowStepResult = z.infer<typeof WorkflowStepResult>;

export const PythonWorkflowResult = z.object({
  ok: z.boolean(),
  runId: z.string(),
  sessionId: z.string().nullable(),
  steps: z.array(WorkflowStepResult),
  /** The first step that failed. */
  failedStep: z.number().int().nullable(),
  /** Of all steps. */
  artifacts: z.array(ArtifactRef),
  verdict: Verdict,
  error: ErrorInfo.nullable(),
  usage: GoalUsage,
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
  /** How its execution ended; null where nobody has executed it yet. */
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
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** What the model was told. */
  text: z.string(),
  failed: z.boolean(),
  /** The run of an agent that was called. */
  runId: z.string().nullable(),
});
export type AgentToolCall = z.infer<typeof AgentToolCall>;

/** An agent as others see it: schemas as JSON Schema. */
export const AgentInfo = z.object({
  name: z.string(),
  description: z.string(),
  input: z.record(z.string(), z.unknown()),
  output: z.record(z.string(), z.unknown()),
  executes: Language.nullable(),
  model: z.string().nullable(),
  tools: z.array(z.string()),
});
export type AgentInfo = z.infer<typeof AgentInfo>;
