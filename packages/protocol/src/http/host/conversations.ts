import * as z from "zod";
import {
  CloudEvent,
  ConversationInfo,
  ConversationMessage,
  EventInfo,
  FeedEvent,
  HOST_LIMITS,
  HostEvent,
  Route,
  SendResult,
} from "../../host/index.ts";
import { defineOperation } from "../operation.ts";
import { cursorField, nextCursor } from "../request-fields.ts";

const conversationId = z.string().describe("Id of the conversation, `cnv_…`, as `GET /host/conversations` lists it.");
const ConversationParams = z.object({ id: conversationId });
const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(HOST_LIMITS.pageItems)
  .optional()
  .describe("Entries on one page, 1 to 100. Default: 50.");
const id = z.string().min(1).max(255).optional();

const MessageBody = z.strictObject({
  text: z.string().min(1).max(1_000_000).describe("The message, at most 1,000,000 characters."),
  contents: HostEvent.shape.input.unwrap().shape.contents,
  conversation: HostEvent.shape.conversation,
  actor: HostEvent.shape.actor,
  source_event_id: HostEvent.shape.source_event_id,
  synthetic: HostEvent.shape.synthetic,
});

/** Events that reach agents, and the conversations that they make up. */
export const CONVERSATIONS = {
  sendEvent: defineOperation({
    method: "post",
    path: "/api/events",
    tag: "events",
    client: "host.events.send",
    summary: "Send an event to the agent that is bound to it",
    description:
      "Takes an event of ours, or a CloudEvent 1.0 in structured or binary mode. Answers when the agent has answered; with `wait=false`, as soon as the event is on record. An event with the same id at its source is handled once.",
    scope: "run",
    query: z.strictObject({
      wait: z.stringbool().optional().describe("False: answer as soon as the event is on record. Default: true."),
    }),
    body: HostEvent,
    otherBodies: { "application/cloudevents+json": CloudEvent },
    response: SendResult.or(
      z.object({
        eventId: z.string().describe("Id of the event, `evt_…`."),
        kind: z.literal("accepted").describe("The event is on record, and will be handled."),
      }),
    ),
    streams: "calls",
    idempotent: true,
  }),
  dryRunEvent: defineOperation({
    method: "post",
    path: "/api/events/dry-run",
    tag: "events",
    client: "host.events.route",
    summary: "Which binding an event would take, and why",
    description: "Says which agent an event would reach, why, and why not the others. Nothing is recorded or started.",
    scope: "run",
    body: HostEvent,
    otherBodies: { "application/cloudevents+json": CloudEvent },
    response: Route,
  }),
  getEvent: defineOperation({
    method: "get",
    path: "/api/events/{id}",
    tag: "events",
    client: "host.events.get",
    summary: "One event, and what became of it",
    description: "Shows one event as it is on record, with the run that got it. Known secrets are taken out.",
    scope: "read",
    params: z.object({ id: z.string().describe("Id of the event, `evt_…`.") }),
    response: EventInfo,
  }),
  listHostEvents: defineOperation({
    method: "get",
    path: "/api/events",
    tag: "events",
    client: "host.events.list",
    summary: "Events of a conversation, the newest first",
    description: "Lists the events of one conversation in pages, the newest first.",
    scope: "read",
    query: z.strictObject({ conversation: conversationId, limit, cursor: cursorField }),
    response: z.object({ events: z.array(EventInfo).describe("One page of events."), cursor: nextCursor }),
  }),
  sendMessage: defineOperation({
    method: "post",
    path: "/host/agents/{name}/messages",
    tag: "conversations",
    client: "host.agents.send",
    clientArguments: ["text"],
    summary: "Send a message to an agent, and stream its answer",
    description:
      "Sends a message to this agent, whatever the bindings say. With `Accept: text/event-stream` the answer streams: deltas, tool calls, messages, and at the end the result.",
    scope: "run",
    params: z.object({ name: z.string().describe("Name of the agent, as `GET /host/agents` lists it.") }),
    body: MessageBody,
    response: SendResult,
    streams: "calls",
    idempotent: true,
  }),
  listConversations: defineOperation({
    method: "get",
    path: "/host/conversations",
    tag: "conversations",
    client: "host.conversations.list",
    summary: "Conversations, those with the newest events first",
    description:
      "Lists conversations in pages. With `conversation_id`, the one with exactly these ids, if there is one.",
    scope: "read",
    query: z.strictObject({
      limit,
      cursor: cursorField,
      conversation_id: id.describe("Only the conversation with this id at its source."),
      thread_id: id.describe("Id of its thread. Default: none."),
      bot_id: id.describe("Id of its bot. Default: none."),
      workspace_id: id.describe("Id of its workspace. Default: none."),
    }),
    response: z.object({
      conversations: z.array(ConversationInfo).describe("One page of conversations."),
      cursor: nextCursor,
    }),
  }),
  getConversation: defineOperation({
    method: "get",
    path: "/host/conversations/{id}",
    tag: "conversations",
    client: "host.conversations.get",
    summary: "One conversation",
    description: "Shows one conversation: its ids at the source, and how many events and messages it has.",
    scope: "read",
    params: ConversationParams,
    response: ConversationInfo,
  }),
  listMessages: defineOperation({
    method: "get",
    path: "/host/conversations/{id}/messages",
    tag: "conversations",
    client: "host.conversations.messages",
    summary: "The transcript of a conversation in pages",
    description: "Lists the messages of a conversation in pages, the newest first or, with `direction`, the oldest.",
    scope: "read",
    params: ConversationParams,
    query: z.strictObject({
      limit,
      cursor: cursorField,
      direction: z
        .enum(["backward", "forward"])
        .optional()
        .describe("`backward` (default): the newest first. `forward`: the oldest first."),
    }),
    response: z.object({
      messages: z.array(ConversationMessage).describe("One page of messages."),
      cursor: nextCursor,
    }),
  }),
  followConversation: defineOperation({
    method: "get",
    path: "/host/conversations/{id}/feed",
    tag: "conversations",
    client: "host.conversations.feed",
    summary: "What happens in a conversation: what this server still keeps, or a stream of it",
    description:
      "Lists what happened lately in a conversation, with deltas. With `Accept: text/event-stream`, what happens from now on, or after `Last-Event-ID`. A server keeps the last part of a feed in memory; messages stay on record.",
    scope: "read",
    params: ConversationParams,
    query: z.strictObject({
      after: z.string().optional().describe("Only events after this cursor. Default: all kept."),
    }),
    response: z.object({ events: z.array(FeedEvent).describe("Events of the feed, in order.") }),
    streams: "events",
  }),
  deleteConversation: defineOperation({
    method: "delete",
    path: "/host/conversations/{id}",
    tag: "conversations",
    client: "host.conversations.delete",
    summary: "Delete a conversation",
    description:
      "Cancels the runs of a conversation, waits for their end, and deletes its messages, its state and what its events said. The runs stay in the ledger.",
    scope: "admin",
    params: ConversationParams,
    response: ConversationInfo,
  }),
} as const;
