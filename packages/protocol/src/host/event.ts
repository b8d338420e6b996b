import * as z from "zod";
import { ActorContext, ContentPart, DeliveryContext, EVENT_SOURCES, SubjectContext } from "../runner/index.ts";

/** Names of events that do not change. Others have a name space of their own, such as `github.push`. */
export const STABLE_EVENT_TYPES = [
  "message.received",
  "message.edited",
  "message.deleted",
  "reaction.added",
  "member.joined",
  "member.left",
  "schedule.fired",
  "webhook.received",
] as const;

const name = z.string().min(1).max(255);
const id = z.string().min(1).max(255).nullish();

const EventType = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/, "a type is words with dots, such as `message.received`");

/** Where an event comes from: the least that identifies a conversation. */
const Conversation = z.strictObject({
  conversation_id: id,
  thread_id: id,
  bot_id: id,
  workspace_id: id,
  launcher_type: id,
  launcher_id: id,
});

/** What reaches the host: a message, or anything else that happened. */
export const HostEvent = z.strictObject({
  type: EventType,
  source: z.enum(EVENT_SOURCES).default("api"),
  source_event_id: id.describe("The id at its source. A second event with the same one is not handled again."),
  source_event_type: id,
  time: z.number().nullish().describe("Seconds since 1970, UTC."),
  conversation: Conversation.nullish(),
  actor: ActorContext.nullish(),
  subject: SubjectContext.nullish(),
  input: z
    .strictObject({ text: z.string().max(1_000_000).nullish(), contents: z.array(ContentPart).max(100).default([]) })
    .default({ contents: [] }),
  delivery: DeliveryContext.nullish(),
  preempt: z
    .boolean()
    .default(false)
    .describe(
      "Whether it stops what the run that takes it waits for, such as a long command. That run goes on with it.",
    ),
  data: z.record(z.string(), z.unknown()).default({}),
});
export type HostEvent = z.infer<typeof HostEvent>;
export type HostEventInput = z.input<typeof HostEvent>;

export const BINDING_SCOPES = ["global", "workspace", "bot", "channel", "conversation", "thread", "actor"] as const;
export const BindingScope = z.enum(BINDING_SCOPES);
export type BindingScope = z.infer<typeof BindingScope>;

/** Which events an agent gets. */
export const NewBinding = z.strictObject({
  agent: name.describe("Name of the agent. A binding that discards has none.").nullish(),
  scope: BindingScope.default("global"),
  value: name.nullish().describe("The id that the scope names. A global binding has none."),
  event: z
    .string()
    .max(100)
    .regex(/^(\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*(\.\*)?)$/, "an event is `message.received`, `message.*` or `*`")
    .default("message.received"),
  priority: z.number().int().min(-1000).max(1000).default(0),
  discard: z.boolean().default(false),
});
export type NewBinding = z.infer<typeof NewBinding>;

export const Binding = NewBinding.extend({ id: z.string(), createdAt: z.string() });
export type Binding = z.infer<typeof Binding>;

/** Which binding an event takes, and why. */
export const Route = z.strictObject({
  binding: Binding.nullable(),
  agent: z.string().nullable(),
  reason: z.string(),
  /** Bindings that fit as well, with the reason why they were not taken. */
  others: z.array(z.strictObject({ id: z.string(), reason: z.string() })),
});
export type Route = z.infer<typeof Route>;
