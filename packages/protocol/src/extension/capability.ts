import * as z from "zod";
import { ErrorInfo } from "../errors.ts";
import { ArtifactRef } from "../exec.ts";
import { Risk } from "../policy.ts";

/** A value as a parameter's type makes it; repeated ones are lists. */
export const ParameterValue = z.union([z.string(), z.number(), z.boolean(), z.json()]);
export type ParameterValue = z.infer<typeof ParameterValue>;

/** One action with its values, decided by the router from words, or handed in by a program or a model. */
export const CommandRoute = z.strictObject({
  /** Without the slash; an alias counts. */
  command: z.string(),
  action: z.string().optional(),
  /** Arguments and flags by their names. */
  values: z.record(z.string(), ParameterValue).default({}),
});
export type CommandRoute = z.infer<typeof CommandRoute>;

/** A conversation, by whose name responses are kept; no live interpreter is needed. */
export const ConversationId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, "must be letters, digits and . _ : -");

export const ResponseInfo = z.object({
  id: z.string(),
  session: z.string(),
  runId: z.string(),
  extension: z.string(),
  command: z.string(),
  action: z.string(),
  mime: z.string(),
  /** Of the whole content, in bytes; `kept` is less where it was truncated. */
  size: z.number().int(),
  kept: z.number().int(),
  truncated: z.boolean(),
  /** The whole content, where it was truncated or is no text. */
  artifact: ArtifactRef.nullable(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type ResponseInfo = z.infer<typeof ResponseInfo>;

export const ResponseTotals = z.object({
  responses: z.number().int(),
  bytes: z.number().int(),
  truncated: z.number().int(),
  oldest: z.string().nullable(),
  newest: z.string().nullable(),
});
export type ResponseTotals = z.infer<typeof ResponseTotals>;

export const ApprovalStatus = z.enum(["pending", "approved", "denied", "cancelled"]);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

export const Approval = z.object({
  id: z.string(),
  runId: z.string(),
  extension: z.string(),
  command: z.string(),
  action: z.string(),
  /** What is to be done, as a line a person can read, without secrets. */
  summary: z.string(),
  risk: Risk,
  status: ApprovalStatus,
  requestedBy: z.string(),
  requestedAt: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  reason: z.string().nullable(),
});
export type Approval = z.infer<typeof Approval>;

const called = {
  runId: z.string().nullable(),
  extension: z.string().nullable(),
  command: z.string().nullable(),
  action: z.string().nullable(),
  session: z.string(),
  success: z.boolean(),
  durationMs: z.number(),
};

export const CapabilityResult = z.object({
  ...called,
  type: z.literal("capability_result"),
  success: z.literal(true),
  output: z.string(),
  /** The output as JSON, where it is that. */
  json: z.json().optional(),
  /** `output` holds the head only; the rest is an artifact. */
  truncated: z.boolean(),
  artifacts: z.array(ArtifactRef),
  responseId: z.string().nullable(),
  /** What the runner has to say about it: exit status, HTTP status and headers, title, … */
  metadata: z.record(z.string(), z.unknown()),
  notes: z.array(z.string()),
});
export type CapabilityResult = z.infer<typeof CapabilityResult>;

export const CapabilityError = z.object({
  ...called,
  type: z.literal("capability_error"),
  success: z.literal(false),
  error: ErrorInfo,
  /** What it had said until then. */
  output: z.string(),
  artifacts: z.array(ArtifactRef),
  metadata: z.record(z.string(), z.unknown()),
  notes: z.array(z.string()),
});
export type CapabilityError = z.infer<typeof CapabilityError>;

/** Nothing was done yet: a person has to agree first. */
export const CapabilityWaiting = z.object({
  type: z.literal("capability_waiting"),
  runId: z.string(),
  extension: z.string(),
  command: z.string(),
  action: z.string(),
  session: z.string(),
  approval: Approval,
});
export type CapabilityWaiting = z.infer<typeof CapabilityWaiting>;

export const CapabilityOutcome = z.discriminatedUnion("type", [CapabilityResult, CapabilityError, CapabilityWaiting]);
export type CapabilityOutcome = z.infer<typeof CapabilityOutcome>;
