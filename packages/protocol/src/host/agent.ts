import * as z from "zod";
import { RunnerId, STATE_SCOPES, StateScope } from "../runner/index.ts";
import { AgentBox, BoxScope } from "./box.ts";
import { AgentMcpServer } from "./mcp-server.ts";
import { SkillName } from "./skill.ts";

const AgentName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, "a name has small letters, digits and dashes, and begins with a letter");

/** What the owner grants to the runs of an agent, of what its runner asks for. */
export const AgentGrants = z.strictObject({
  models: z.array(z.string()).max(50).default([]).describe("Models that it may ask."),
  tools: z
    .array(z.string().min(1).max(128))
    .max(200)
    .default([])
    .describe(
      "Tools that it may use: of the sandbox, of extensions (`csv__head`), of its MCP servers (`files__read`).",
    ),
  actions: z
    .array(z.string().min(1).max(128))
    .max(200)
    .default([])
    .describe("Actions that it may ask for, by name or as `ticket.*`. What is done still needs an executor."),
  knowledge: z.array(z.string()).max(50).default([]).describe("Knowledge bases that it may search, by name."),
  skills: z.array(SkillName).max(32).default([]).describe("Skills that it may activate, by name. Default: none."),
  history: z.boolean().default(true).describe("Whether it may read the conversation of its event."),
  events: z.boolean().default(true).describe("Whether it may read events of the conversation."),
  artifacts: z.boolean().default(true).describe("Whether it may read artifacts of its run."),
  pluginStorage: z.boolean().default(true).describe("Whether it may use the storage of its plugin."),
  workspaceStorage: z.boolean().default(false).describe("Whether it may use the storage of the event's workspace."),
  stateScopes: z
    .array(StateScope)
    .max(STATE_SCOPES.length)
    .default(["conversation", "actor"])
    .describe("What it may keep state for."),
});
export type AgentGrants = z.infer<typeof AgentGrants>;

export const AgentDelivery = z.strictObject({
  streaming: z.boolean().default(true).describe("Whether text is passed on as it comes."),
  reply: z.boolean().default(true).describe("Whether messages are delivered to where the event came from."),
  maxMessageChars: z
    .number()
    .int()
    .positive()
    .max(1_000_000)
    .nullish()
    .describe("The most characters of one message. A longer one is sent in parts."),
  fallback: z
    .strictObject({
      surface: z.string().min(1).max(64).describe("A surface that is registered, such as a chat platform."),
      target: z.record(z.string(), z.unknown()).describe("Whom the surface sends it to, in the surface's own words."),
    })
    .nullish()
    .describe("Where messages go whose event names no reply target, such as that of a schedule. Default: nowhere."),
});
export type AgentDelivery = z.infer<typeof AgentDelivery>;

/** An agent that lasts: a runner, its settings, and what its runs may use. */
export const NewHostAgent = z.strictObject({
  name: AgentName.describe("Name of the agent: small letters, digits and dashes."),
  runner: RunnerId.describe("Id of its runner, `plugin:AUTHOR/PLUGIN/RUNNER`."),
  config: z.record(z.string(), z.unknown()).default({}).describe("Settings of the runner, by its form."),
  grants: AgentGrants.default(() => AgentGrants.parse({})).describe("What its runs may use."),
  mcpServers: z.array(AgentMcpServer).max(20).default([]).describe("Servers whose tools can be granted."),
  delivery: AgentDelivery.default(() => AgentDelivery.parse({})).describe("How its answers are delivered."),
  box: AgentBox.default(() => AgentBox.parse({})).describe(
    "The sandbox that lasts, for the tools `exec`, `read`, `write` and others.",
  ),
  approvalSeconds: z
    .number()
    .positive()
    .max(30 * 24 * 3600)
    .default(24 * 3600)
    .describe("How long an action that it asked for waits for an approval."),
  timeoutSeconds: z.number().positive().max(3600).default(300).describe("How long one answer may take, in seconds."),
});
export type NewHostAgent = z.infer<typeof NewHostAgent>;

export const HostAgent = NewHostAgent.extend({
  id: z.string().describe("Id of the agent, `agt_…`."),
  createdAt: z.string().describe("When it was created, ISO 8601 in UTC."),
  changedAt: z.string().describe("When it was changed last, ISO 8601 in UTC."),
  forcedBoxScope: BoxScope.nullish().describe(
    "The scope that the owner's config.yaml forces for all boxes, in place of `box.scope`. Null: none.",
  ),
});
export type HostAgent = z.infer<typeof HostAgent>;

type Changes<Shape extends z.ZodRawShape> = {
  [Key in keyof Shape]: z.ZodOptional<Shape[Key] extends z.ZodDefault<infer Inner> ? Inner : Shape[Key]>;
};

/** The same fields, all of them optional and none with a default: what is left out of a change stays as it is. */
function changesOf<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Changes<Shape>, z.core.$strict> {
  const fields = Object.entries(shape as unknown as Record<string, z.ZodType>).map(([name, field]) => {
    const inner = field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field;
    return [name, inner.optional().describe(field.description ?? "")];
  });
  return z.strictObject(Object.fromEntries(fields) as Changes<Shape>);
}

const { name: _name, grants: _grants, delivery: _delivery, box: _box, ...settings } = NewHostAgent.shape;

/** Settings of an agent that are to be changed. */
export const HostAgentChanges = changesOf(settings).extend({
  grants: changesOf(AgentGrants.shape).optional().describe("What of its grants is to be changed."),
  box: changesOf(AgentBox.shape).optional().describe("What of its box is to be changed."),
  delivery: changesOf(AgentDelivery.shape).optional().describe("What of its delivery is to be changed."),
});
export type HostAgentChanges = z.infer<typeof HostAgentChanges>;
