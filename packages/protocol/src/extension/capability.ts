import * as z from "zod";
import { ErrorInfo } from "../errors/errors.ts";
import { ArtifactRef } from "../exec.ts";
import { Risk } from "../policy.ts";

/** A value as a parameter's type makes it; repeated ones are lists. */
export const ParameterValue = z.union([z.string(), z.number(), z.boolean(), z.json()]);
export type ParameterValue = z.infer<typeof ParameterValue>;

/** One action with its values, decided by the router from words, or handed in by a program or a model. */
export const CommandRoute = z.strictObject({
  command: z.string().describe("Name or alias of the command, without the slash: `csv`."),
  action: z.string().optional().describe("Name of the action, such as `head`. Default: the command's default action."),
  values: z
    .record(z.string(), ParameterValue)
    .default({})
    .describe("Arguments and flags by name. Those that repeat take a list."),
});
export type CommandRoute = z.infer<typeof CommandRoute>;

/** A conversation, by whose name responses are kept; no live interpreter is needed. */
export const ConversationId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, "must be letters, digits and . _ : -");

/** Where a call of an extension belongs, in records, responses and outcomes. */
const extension = z.string().describe("Id of the extension, such as `csv`.");
const command = z.string().describe("Name of the command, without the slash.");
const action = z.string().describe("Name of the action, such as `head`.");
const runId = z.string().describe("Id of the call's run in the ledger, `run_…`.");
const session = z.string().describe("Name of the conversation that keeps the response.");
export const CALL_FIELDS = { extension, command, action, runId, session };

const metadata = z
  .record(z.string(), z.unknown())
  .describe("Details by runner: exit status, HTTP status and headers, title, …");

export const ResponseInfo = z.object({
  id: z.string().describe("Id of the response, `res_…`."),
  ...CALL_FIELDS,
  mime: z.string().describe("Media type of the response, such as `application/json`."),
  size: z.number().int().describe("Size of the whole response, in bytes."),
  kept: z.number().int().describe("Bytes that are kept as text. Less than `size` if it was truncated."),
  truncated: z.boolean().describe("True if only the beginning is kept as text."),
  artifact: ArtifactRef.nullable().describe(
    "The whole response as a file, if it was truncated or is not text; else null.",
  ),
  metadata,
  createdAt: z.string().describe("When it was stored, ISO 8601 in UTC."),
  expiresAt: z.string().describe("When it will be removed, ISO 8601 in UTC."),
});
export type ResponseInfo = z.infer<typeof ResponseInfo>;

export const ResponseTotals = z.object({
  responses: z.number().int().describe("How many responses are kept."),
  bytes: z.number().int().describe("Size of what is kept, in bytes."),
  truncated: z.number().int().describe("How many of them were truncated."),
  oldest: z.string().nullable().describe("When the oldest was stored, ISO 8601 in UTC; null without any."),
  newest: z.string().nullable().describe("When the newest was stored, ISO 8601 in UTC; null without any."),
});
export type ResponseTotals = z.infer<typeof ResponseTotals>;

export const ApprovalStatus = z
  .enum(["pending", "approved", "denied", "cancelled"])
  .describe("What was decided. `pending`: nothing yet; `cancelled`: the call ended before a decision.");
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

export const Approval = z.object({
  id: z.string().describe("Id of the approval, `apr_…`, which `/approvals/{id}/approve` takes."),
  runId,
  extension,
  command,
  action,
  summary: z.string().describe("What is to be done, as one line for people, without secrets."),
  risk: Risk,
  status: ApprovalStatus,
  requestedBy: z.string().describe("The user on whose behalf it was requested."),
  requestedAt: z.string().describe("When it was requested, ISO 8601 in UTC."),
  decidedBy: z.string().nullable().describe("Who decided; null while it is pending."),
  decidedAt: z.string().nullable().describe("When it was decided, ISO 8601 in UTC; null while it is pending."),
  reason: z.string().nullable().describe("The reason of the decision; null if there is none."),
});
export type Approval = z.infer<typeof Approval>;

const called = {
  runId: z.string().nullable().describe("Id of the call's run in the ledger; null if nothing was started."),
  extension: z.string().nullable().describe("Id of the extension; null if the command is unknown."),
  command: z.string().nullable().describe("Name of the command, without the slash; null if it is unknown."),
  action: z.string().nullable().describe("Name of the action; null if it is unknown."),
  session,
  durationMs: z.number().describe("Time that the call took, in milliseconds."),
};

const artifacts = z.array(ArtifactRef).describe("Files that the action made.");
const notes = z.array(z.string()).describe("Remarks that are not errors.");

export const CapabilityResult = z.object({
  ...called,
  type: z.literal("capability_result").describe("The action was done."),
  success: z.literal(true).describe("True for a result."),
  output: z.string().describe("What the action answered, as text."),
  json: z.json().optional().describe("The output as a JSON value, where it is JSON."),
  truncated: z.boolean().describe("True if `output` holds the beginning only. An artifact holds the whole."),
  artifacts,
  responseId: z.string().nullable().describe("Id of the kept response, `res_…`; null if none is kept."),
  metadata,
  notes,
});
export type CapabilityResult = z.infer<typeof CapabilityResult>;

export const CapabilityError = z.object({
  ...called,
  type: z.literal("capability_error").describe("The action was refused or failed."),
  success: z.literal(false).describe("False for an error."),
  error: ErrorInfo.describe("Why it was refused or failed."),
  output: z.string().describe("What the action had answered until it failed."),
  artifacts,
  metadata,
  notes,
});
export type CapabilityError = z.infer<typeof CapabilityError>;

/** Nothing was done yet: a person has to agree first. */
export const CapabilityWaiting = z.object({
  type: z.literal("capability_waiting").describe("The action waits for a person's approval."),
  ...CALL_FIELDS,
  approval: Approval.describe("The approval that it waits for."),
});
export type CapabilityWaiting = z.infer<typeof CapabilityWaiting>;

export const CapabilityOutcome = z.discriminatedUnion("type", [CapabilityResult, CapabilityError, CapabilityWaiting]);
export type CapabilityOutcome = z.infer<typeof CapabilityOutcome>;
