import { HOST_LIMITS, type HostEventInput, type HostStep } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import { type AddRoute, acceptsStream, type ReadBody } from "../route/add-route.ts";
import { readBody, readBytes } from "../route/read-body.ts";
import type { Emit } from "../route/stream-call.ts";
import type { ServerContext } from "../server-context.ts";
import { isCloudEvent, readCloudEvent } from "./read-cloud-event.ts";
import { streamFeed } from "./stream-feed.ts";

/** Our envelope, or a CloudEvent in either mode. */
const readEventBody: ReadBody = async (request) => {
  const { eventBytes } = HOST_LIMITS;
  if (!isCloudEvent(request.headers)) return readBody(request, eventBytes);
  const bytes = await readBytes(request, eventBytes);
  const value = readCloudEvent(request.headers, bytes);
  return { text: JSON.stringify(value), value };
};

/** Events that reach agents, and the conversations that they make up. */
export function addConversations(add: AddRoute, server: ServerContext): void {
  const { host } = server.dock;
  const { conversations, events } = host;
  add(
    "sendEvent",
    OPERATIONS.sendEvent,
    ({ body, query, headers, signal, emit }) => {
      requireOwnPlace(server, headers, body);
      if (query.wait === false && !emit) return accept(server, body);
      return host.send(body, { signal, onStep: tellSteps(emit) });
    },
    readEventBody,
  );
  add("dryRunEvent", OPERATIONS.dryRunEvent, ({ body }) => host.route(body), readEventBody);
  add("getEvent", OPERATIONS.getEvent, ({ params }) => events.get(params.id));
  add("listHostEvents", OPERATIONS.listHostEvents, ({ query: { conversation, ...page } }) =>
    events.list(conversation, page),
  );
  add("sendMessage", OPERATIONS.sendMessage, ({ params, body, signal, emit }) => {
    const { text, contents, ...rest } = body;
    const event = { type: "message.received", ...rest, input: { text, contents } };
    return host.send(event, { agent: params.name, signal, onStep: tellSteps(emit) });
  });
  add("listConversations", OPERATIONS.listConversations, ({ query: { limit, cursor, ...ids } }) =>
    conversations.list({ limit, cursor, identity: ids.conversation_id === undefined ? undefined : ids }),
  );
  add("getConversation", OPERATIONS.getConversation, ({ params }) => conversations.get(params.id));
  add("listMessages", OPERATIONS.listMessages, ({ params, query }) => conversations.messages(params.id, query));
  add("followConversation", OPERATIONS.followConversation, async ({ params, query, headers, signal }) => {
    if (!acceptsStream(headers)) return { events: await conversations.feed(params.id, query.after) };
    // Before the stream begins: within it, a refusal would have no status.
    await conversations.latest(params.id);
    return streamFeed(server, params.id, headers.get("last-event-id") ?? query.after, signal);
  });
  add("deleteConversation", OPERATIONS.deleteConversation, ({ params }) => conversations.delete(params.id));
}

/**
 * Who has the bot of a source write to a place of the caller's choice may do what the agent's `fallback` does, which is for whoever
 * changes agents: the chats that a source answers are the owner's choice.
 */
function requireOwnPlace({ authorize }: ServerContext, headers: Headers, { delivery }: HostEventInput): void {
  if (typeof Object(delivery?.reply_target).source === "string") authorize(headers, "admin", "POST");
}

function tellSteps(emit: Emit | undefined) {
  return emit && ((step: HostStep) => emit(step.type, step));
}

/** Answers when the event is on record; what follows goes on, and closing the server waits for it. */
function accept({ dock, activity }: ServerContext, event: HostEventInput) {
  const recorded = Promise.withResolvers<{ eventId: string; kind: "accepted" }>();
  const onStep = ({ eventId }: HostStep) => recorded.resolve({ eventId, kind: "accepted" });
  const answered = activity.track(dock.host.send(event, { signal: activity.stopping, onStep }));
  answered.catch(() => {});
  return Promise.race([recorded.promise, answered]);
}
