import * as z from "zod";
import { ActorContext, ContentPart, DeliveryContext, EVENT_SOURCES, SubjectContext } from "../runner/index.ts";
import { BindingFilter } from "./binding-filter.ts";

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
  conversation_id: id.describe("Id of the conversation at its source."),
  thread_id: id.describe("Id of a thread of the conversation. Each thread has a history of its own."),
  bot_id: id.describe("Id of the bot that is spoken to."),
  workspace_id: id.describe("Id of the workspace or tenant that the conversation belongs to."),
  launcher_type: id.describe("What kind of place it is, such as `person` or `group`."),
  launcher_id: id.describe("Id of the place, such as a channel."),
});

/** What reaches the host: a message, or anything else that happened. */
export const HostEvent = z.strictObject({
  type: EventType.describe("What happened, such as `message.received`."),
  source: z.enum(EVENT_SOURCES).default("api").describe("What kind of source it comes from."),
  source_event_id: id.describe("The id at its source. A second event with the same one is not handled again."),
  source_event_type: id.describe("What the source calls this kind of event."),
  time: z.number().nullish().describe("Seconds since 1970, UTC."),
  conversation: Conversation.nullish().describe(
    "The conversation that it belongs to. Without one there is no history.",
  ),
  actor: ActorContext.nullish().describe("Who caused it."),
  subject: SubjectContext.nullish().describe("What it is about."),
  input: z
    .strictObject({
      text: z.string().max(1_000_000).nullish().describe("The words of the message, at most 1,000,000 characters."),
      contents: z.array(ContentPart).max(100).default([]).describe("Parts of the message: text, pictures, files."),
    })
    .default({ contents: [] })
    .describe("What the agent is told."),
  delivery: DeliveryContext.nullish().describe("What the place of the answer can do."),
  preempt: z
    .boolean()
    .default(false)
    .describe(
      "Whether it stops what the run that takes it waits for, such as a long command. That run goes on with it.",
    ),
  data: z.record(z.string(), z.unknown()).default({}).describe("Other facts of the event, as JSON."),
  synthetic: z
    .boolean()
    .default(false)
    .describe("True: a trial. Nothing is delivered outside, and it has a history and a state of its own."),
});
export type HostEvent = z.infer<typeof HostEvent>;
export type HostEventInput = z.input<typeof HostEvent>;

export const BINDING_SCOPES = ["global", "workspace", "bot", "channel", "conversation", "thread", "actor"] as const;
export const BindingScope = z.enum(BINDING_SCOPES);
export type BindingScope = z.infer<typeof BindingScope>;

/** Which events an agent gets. */
export const NewBinding = z.strictObject({
  agent: name.nullish().describe("Name of the agent. A binding that discards has none."),
  scope: BindingScope.default("global").describe("Where it holds. A narrower scope is taken before a wider one."),
  value: name.nullish().describe("The id that the scope names. A global binding has none."),
  event: z
    .string()
    .max(100)
    .regex(/^(\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*(\.\*)?)$/, "an event is `message.received`, `message.*` or `*`")
    .default("message.received")
    .describe("Type of the events: `message.received`, `message.*` or `*`."),
  filters: z
    .array(BindingFilter)
    .max(20)
    .default([])
    .describe("Tests of fields of the event. All of them have to fit."),
  priority: z.number().int().min(-1000).max(1000).default(0).describe("Where two fit equally, the higher one wins."),
  discard: z.boolean().default(false).describe("True: its events are recorded, and no agent gets them."),
});
export type NewBinding = z.infer<typeof NewBinding>;

export const Binding = NewBinding.extend({
  id: z.string().describe("Id of the binding, `bnd_…`."),
  createdAt: z.string().describe("When it was created, ISO 8601 in UTC."),
});
export type Binding = z.infer<typeof Binding>;

/** Which binding an event takes, and why. */
export const Route = z.strictObject({
  binding: Binding.nullable().describe("The binding that takes it; null if none does."),
  agent: z.string().nullable().describe("Name of the agent that gets it; null if none does."),
  reason: z.string().describe("Why it is this binding, or none, in one sentence."),
  others: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the other binding."),
        reason: z.string().describe("Why it was not taken."),
      }),
    )
    .describe("Other bindings for this type and scope, and why they were not taken."),
});
export type Route = z.infer<typeof Route>;
