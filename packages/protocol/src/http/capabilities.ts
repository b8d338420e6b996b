import * as z from "zod";
import {
  CALL_FIELDS,
  CapabilityOutcome,
  CapabilityRecord,
  CapabilityTool,
  CommandRoute,
  ConversationId,
  QueuedCall,
} from "../extension/index.ts";
import { defineOperation } from "./operation.ts";
import { cursorField, limitField, modelField, nextCursor, policyField, workspaceField } from "./request-fields.ts";

const tag = "capabilities";

export const CapabilityBody = z.strictObject({
  route: z
    .union([z.string().min(1), CommandRoute])
    .describe("A line such as `/csv head sales.csv`, piped with `|`, or one action as an object."),
  session: ConversationId.optional().describe(
    "Name of the conversation that keeps the response; later lines can use it. Default: `default`.",
  ),
  user: z.string().min(1).max(128).optional().describe("On whose behalf it is done, for the record. Default: `owner`."),
  workspace: workspaceField.optional().describe("A directory whose files the action may use. Default: none."),
  policy: policyField,
  model: modelField,
  approval: z
    .enum(["deny", "wait"])
    .optional()
    .describe(
      "For an action that a person must approve: `deny` refuses it, `wait` keeps it for `/approvals`. Default: deny.",
    ),
});

export const CAPABILITIES = {
  executeCapability: defineOperation({
    method: "post",
    path: "/capabilities",
    tag,
    client: "extensions.execute",
    clientArguments: ["route"],
    summary:
      "Execute an action of an extension: 202 if a person must approve it first, the status of its error if it fails",
    description:
      "Calls an action of an extension, given as a line such as `/curl get https://example.org` or as data. An action that a person must approve is answered with 202.",
    scope: "run",
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
    client: "extensions.tools",
    summary: "Every action that can be called, with a JSON Schema of its values",
    description: "Lists the actions of all enabled extensions, each with the JSON Schema of its values.",
    scope: "read",
    response: z.object({ tools: z.array(CapabilityTool).describe("Every action of the enabled extensions.") }),
  }),
  completeCapability: defineOperation({
    method: "post",
    path: "/capabilities/complete",
    tag,
    client: "extensions.complete",
    clientArguments: ["line"],
    summary: "Complete a line at its end",
    description:
      "Suggests how a line can continue at its end, as the Tab key does on the command line. Nothing is executed.",
    scope: "run",
    body: z.strictObject({
      line: z.string().max(65_536).describe("The line so far, such as `/csv he`. It is completed at its end."),
    }),
    response: z.object({
      completions: z
        .array(
          z.object({
            word: z.string().describe("The last word of the line, completed."),
            description: z.string().describe("What the word stands for."),
          }),
        )
        .describe("Words that fit at the end of the line."),
    }),
  }),
  helpCapability: defineOperation({
    method: "get",
    path: "/capabilities/help",
    tag,
    client: "extensions.help",
    clientArguments: ["of"],
    summary: "Help for a command (`of=curl`) or an action (`of=curl get`); without, for all",
    description: "Explains a command, one of its actions, or, without `of`, all commands of the enabled extensions.",
    scope: "read",
    query: z.strictObject({
      of: z
        .string()
        .max(1024)
        .optional()
        .describe("A command (`curl`) or an action (`curl get`). Default: all commands."),
    }),
    response: z.object({ text: z.string().describe("The help as plain text.") }),
  }),
  listCapabilityRuns: defineOperation({
    method: "get",
    path: "/capabilities/history",
    tag,
    client: "extensions.history",
    summary: "Calls of extensions, the newest first",
    description: "Lists earlier calls of extensions with their outcome. The filters can be combined.",
    scope: "read",
    query: z.strictObject({
      extension: z.string().optional().describe("Only calls of the extension with this id."),
      session: z.string().optional().describe("Only calls of this conversation."),
      user: z.string().optional().describe("Only calls on behalf of this user."),
      limit: limitField.describe("Calls on one page, 1 to 1000. Default: 50."),
      cursor: cursorField,
    }),
    response: z.object({
      runs: z.array(CapabilityRecord).describe("One page of calls, the newest first."),
      cursor: nextCursor,
    }),
  }),
  listQueue: defineOperation({
    method: "get",
    path: "/capabilities/queue",
    tag,
    client: "extensions.queue.list",
    summary: "Calls of this server that run, or wait for their turn",
    description:
      "Lists the calls of this server that are running, or that wait because the policy limits how many run at once.",
    scope: "read",
    response: z.object({ calls: z.array(QueuedCall).describe("Calls that run or wait.") }),
  }),
  cancelQueued: defineOperation({
    method: "delete",
    path: "/capabilities/queue/{runId}",
    tag,
    client: "extensions.queue.cancel",
    summary: "End a call that waits or runs in this server",
    description: "Stops a call of this server that runs or waits.",
    scope: "run",
    params: z.object({ runId: CALL_FIELDS.runId }),
    response: z.object({
      runId: CALL_FIELDS.runId,
      cancelled: z.literal(true).describe("True when the call has been asked to stop."),
    }),
  }),
} as const;
