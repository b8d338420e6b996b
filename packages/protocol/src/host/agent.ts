import * as z from "zod";
import { RunnerId, STATE_SCOPES, StateScope } from "../runner/index.ts";

const AgentName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, "a name has small letters, digits and dashes, and begins with a letter");

/** What the owner grants to the runs of an agent, of what its runner asks for. */
export const AgentGrants = z.strictObject({
  models: z.array(z.string()).max(50).default([]).describe("Models that it may ask."),
  knowledge: z.array(z.string()).max(50).default([]).describe("Knowledge bases that it may search, by name."),
  history: z.boolean().default(true).describe("Whether it may read the conversation of its event."),
  events: z.boolean().default(true),
  artifacts: z.boolean().default(true),
  pluginStorage: z.boolean().default(true),
  workspaceStorage: z.boolean().default(false),
  stateScopes: z.array(StateScope).max(STATE_SCOPES.length).default(["conversation", "actor"]),
});
export type AgentGrants = z.infer<typeof AgentGrants>;

export const AgentDelivery = z.strictObject({
  streaming: z.boolean().default(true),
  reply: z.boolean().default(true).describe("Whether messages are delivered to where the event came from."),
  maxMessageChars: z.number().int().positive().max(1_000_000).nullish(),
});
export type AgentDelivery = z.infer<typeof AgentDelivery>;

/** An agent that lasts: a runner, its settings, and what its runs may use. */
export const NewHostAgent = z.strictObject({
  name: AgentName,
  runner: RunnerId,
  config: z.record(z.string(), z.unknown()).default({}),
  grants: AgentGrants.default(() => AgentGrants.parse({})),
  delivery: AgentDelivery.default(() => AgentDelivery.parse({})),
  timeoutSeconds: z.number().positive().max(3600).default(300),
});
export type NewHostAgent = z.infer<typeof NewHostAgent>;

export const HostAgent = NewHostAgent.extend({ id: z.string(), createdAt: z.string(), changedAt: z.string() });
export type HostAgent = z.infer<typeof HostAgent>;
