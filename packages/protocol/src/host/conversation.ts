import * as z from "zod";
import { Message } from "../runner/index.ts";
import { HostStep } from "./send.ts";

const at = z.string().describe("ISO 8601 in UTC.");
const cursor = z.string();

/** A conversation that events have belonged to. */
export const ConversationInfo = z.object({
  id: z.string().describe("Id of the conversation here, `cnv_…`."),
  conversationId: z.string().describe("Its id at the source of its events."),
  threadId: z.string().nullable().describe("Id of the thread; null if it is none."),
  botId: z.string().nullable().describe("Id of the bot; null if the events name none."),
  workspaceId: z.string().nullable().describe("Id of the workspace; null if the events name none."),
  synthetic: z.boolean().describe("Whether it consists of synthetic events."),
  events: z.number().int().describe("How many events it has."),
  messages: z.number().int().describe("How many messages its transcript has."),
  createdAt: at.describe("When its first event came, ISO 8601 in UTC."),
  lastAt: at.describe("When its last event came, ISO 8601 in UTC."),
});
export type ConversationInfo = z.infer<typeof ConversationInfo>;

/** One message of a conversation. */
export const ConversationMessage = z.object({
  id: z.string().describe("Id of the entry, `trn_…`."),
  eventId: z.string().describe("Id of the event that it belongs to."),
  runId: z.string().nullable().describe("Id of the run that it comes from; null for a message to the agent."),
  role: z.string().describe("Who says it: `user` or `assistant`."),
  text: z.string().describe("Its text, at most 4000 characters."),
  message: Message.describe("The whole message."),
  artifacts: z.array(z.record(z.string(), z.unknown())).describe("Files that came with it."),
  createdAt: at.describe("When it was recorded, ISO 8601 in UTC."),
});
export type ConversationMessage = z.infer<typeof ConversationMessage>;

/** What happens in a conversation. A reader that comes back names the last cursor that it has seen. */
export const FeedEvent = z.object({
  ...HostStep.shape,
  type: HostStep.shape.type
    .or(z.literal("feed.reset"))
    .describe(
      "What happened. `feed.reset`: earlier events are not kept any more; read the messages of the conversation.",
    ),
  cursor: cursor.describe("Place of the event in the feed. Opaque."),
  at: at.describe("When it happened, ISO 8601 in UTC."),
});
export type FeedEvent = z.infer<typeof FeedEvent>;

/** An event as it is on record. */
export const EventInfo = z.object({
  id: z.string().describe("Id of the event, `evt_…`."),
  type: z.string().describe("What happened, such as `message.received`."),
  conversation: z.string().nullable().describe("Id of its conversation, `cnv_…`; null if it belongs to none."),
  synthetic: z.boolean().describe("Whether it was a trial, of which nothing was delivered."),
  outcome: z
    .enum(["received", "run", "steering", "unbound", "discarded"])
    .describe("What became of it. `received`: nothing yet; `steering`: a run under way got it."),
  runId: z.string().nullable().describe("Id of the run that got it; null if none did."),
  createdAt: at.describe("When it came, ISO 8601 in UTC."),
  event: z.record(z.string(), z.unknown()).describe("The event itself, as `POST /api/events` takes it."),
});
export type EventInfo = z.infer<typeof EventInfo>;
