import * as z from "zod";
import { CapabilityOutcome, CommandRoute, ConversationId } from "../extension/index.ts";
import { PolicyDocument } from "../policy.ts";
import { Run } from "../run.ts";
import { defineOperation } from "./operation.ts";

const tag = "capabilities";

export const CapabilityBody = z.strictObject({
  /** `/command action …`, piped with `|`, or the same as data. */
  route: z.union([z.string().min(1), CommandRoute]),
  /** The conversation whose responses are kept and can be used. Default: `default`. */
  session: ConversationId.optional(),
  /** On whose behalf. Default: `owner`, whose token it is. */
  user: z.string().min(1).max(128).optional(),
  workspace: z.string().optional(),
  policy: PolicyDocument.optional(),
  model: z.string().min(1).optional(),
  /** Where the risk demands that somebody agrees: `deny` (default) refuses, `wait` leaves it to `/approvals`. */
  approval: z.enum(["deny", "wait"]).optional(),
});

const QueuedCall = z.object({
  runId: z.string(),
  extension: z.string(),
  command: z.string(),
  action: z.string(),
  user: z.string(),
  session: z.string(),
  /** 0 while it runs. */
  position: z.number().int(),
  since: z.string(),
});

const CapabilityRecord = Run.extend({
  extension: z.string(),
  command: z.string(),
  action: z.string(),
  user: z.string(),
  session: z.string(),
  durationMs: z.number().nullable(),
});

const CapabilityTool = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  command: z.string(),
  action: z.string(),
  extension: z.string(),
});

export const CAPABILITIES = {
  executeCapability: defineOperation({
    method: "post",
    path: "/capabilities",
    tag,
    summary:
      "Do what an extension declares: 202 where somebody has to agree first, the status of its error where it fails",
    body: CapabilityBody,
    response: CapabilityOutcome,
    answersErrors: true,
    streams: "calls",
    idempotent: true,
  }),
  listCapabilities: defineOperation({
    method: "get",
    path: "/capabilities",
    tag,
    summary: "Every action that can be called, with a JSON Schema of its values",
    response: z.object({ tools: z.array(CapabilityTool) }),
  }),
  completeCapability: defineOperation({
    method: "post",
    path: "/capabilities/complete",
    tag,
    summary: "What could stand where the line ends",
    body: z.strictObject({ line: z.string().max(65_536) }),
    response: z.object({ completions: z.array(z.object({ word: z.string(), description: z.string() })) }),
  }),
  helpCapability: defineOperation({
    method: "get",
    path: "/capabilities/help",
    tag,
    summary: "Help for a command (`of=curl`) or an action (`of=curl get`); without, for all",
    query: z.strictObject({ of: z.string().max(1024).optional() }),
    response: z.object({ text: z.string() }),
  }),
  listCapabilityRuns: defineOperation({
    method: "get",
    path: "/capabilities/history",
    tag,
    summary: "What extensions were called for, the newest first",
    query: z.strictObject({
      extension: z.string().optional(),
      session: z.string().optional(),
      user: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      cursor: z.string().optional(),
    }),
    response: z.object({ runs: z.array(CapabilityRecord), cursor: z.string().nullable() }),
  }),
  listQueue: defineOperation({
    method: "get",
    path: "/capabilities/queue",
    tag,
    summary: "Calls of this server that run, or wait for their turn",
    response: z.object({ calls: z.array(QueuedCall) }),
  }),
  cancelQueued: defineOperation({
    method: "delete",
    path: "/capabilities/queue/{runId}",
    tag,
    summary: "End a call that waits or runs in this server",
    params: z.object({ runId: z.string() }),
    response: z.object({ runId: z.string(), cancelled: z.literal(true) }),
  }),
} as const;
