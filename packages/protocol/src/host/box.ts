import * as z from "zod";
import { PolicyDocument } from "../policy.ts";

/** What a scope can be made of. Each stands for a fact of the event that a run answers. */
export const BOX_SCOPE_PARTS = [
  "conversation",
  "thread",
  "actor",
  "launcher_type",
  "launcher_id",
  "workspace",
  "bot",
  "global",
] as const;
export type BoxScopePart = (typeof BOX_SCOPE_PARTS)[number];

export const DEFAULT_BOX_SCOPE = "{launcher_type}_{launcher_id}";

const PART = /\{([^{}]*)\}/g;
const KNOWN: readonly string[] = BOX_SCOPE_PARTS;
const listed = BOX_SCOPE_PARTS.map((part) => `{${part}}`).join(", ");

/** The parts that a scope names, in its order. */
export function boxScopeParts(scope: string): BoxScopePart[] {
  return [...scope.matchAll(PART)].map(([, part]) => part as BoxScopePart);
}

/** Which runs of an agent share a box: those for which the scope stands for the same. */
export const BoxScope = z
  .string()
  .max(200)
  .superRefine((scope, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    const parts = boxScopeParts(scope);
    const unknown = parts.find((part) => !KNOWN.includes(part));
    if (unknown !== undefined) return refuse(`{${unknown}} is no part of a scope; there are ${listed}`);
    if (parts.length === 0) return refuse(`a scope names at least one of ${listed}`);
    if (!/^[\w.:@/ -]*$/.test(scope.replaceAll(PART, "")))
      refuse("between its parts a scope has letters, digits, and . : _ @ / - only");
  });

/** The sandbox that lasts for an agent's tools. */
export const AgentBox = z.strictObject({
  scope: BoxScope.default(DEFAULT_BOX_SCOPE).describe(
    `Which runs share a box, made of ${listed}. Where an event names no launcher, its conversation takes that place.`,
  ),
  workspace: z
    .string()
    .startsWith("/", "must be an absolute path")
    .max(4096)
    .optional()
    .describe("A directory that boxes begin with. It is never changed. Default: an empty one."),
  policy: PolicyDocument.optional().describe("A policy request for boxes, such as `network.allow`."),
});
export type AgentBox = z.infer<typeof AgentBox>;

/** An MCP server that runs in a box. */
export const BoxServerInfo = z.object({
  name: z.string().describe("Name of the server, which stands before the names of its tools."),
  status: z
    .enum(["connecting", "connected", "error", "disabled"])
    .describe("Whether it can be used. One that has ended is started again, each time a little later."),
  problem: z.string().nullable().describe("Why it can't be used; null where it can."),
  tools: z.number().int().describe("How many tools it offers."),
  restarts: z.number().int().describe("How often it was started again by itself."),
});
export type BoxServerInfo = z.infer<typeof BoxServerInfo>;

/** A box that is open. */
export const BoxInfo = z.object({
  id: z.string().describe("Id of the box, `box_…`."),
  agent: z.string().describe("Name of the agent that it belongs to."),
  scope: z.string().describe("What its scope stands for, for people."),
  runId: z.string().describe("The run that it is."),
  createdAt: z.string().describe("When it was opened, ISO 8601 in UTC."),
  lastUsedAt: z.string().describe("When it was used last, ISO 8601 in UTC."),
  skills: z.array(z.string()).describe("Skills whose files it has."),
  servers: z.array(BoxServerInfo).describe("MCP servers of the agent that run in it."),
  warnings: z.array(z.string()).describe("What was left out when it was opened, and why."),
});
export type BoxInfo = z.infer<typeof BoxInfo>;

/** The most that is read of a file of a box at once. */
export const BOX_FILE_BYTES = 2 * 1024 * 1024;

const cells = z.coerce.number().int().min(1).max(1000);

/** The size of a terminal in a box. */
export const BoxTerminalSize = z.strictObject({
  columns: cells.default(80).describe("Its width in characters."),
  rows: cells.default(24).describe("Its height in lines."),
});

/** What a client sends over the WebSocket of a terminal, beside keys, which are binary messages. */
export const BoxTerminalRequest = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input"), text: z.string().max(100_000) }),
  z.strictObject({ type: z.literal("resize"), ...BoxTerminalSize.shape }),
]);
