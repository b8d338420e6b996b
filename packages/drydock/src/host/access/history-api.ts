import { ApiError } from "@drydock/protocol/runner";
import { conversationKey } from "../bindings/event-id.ts";
import type { ApiContext, Handlers } from "./create-api.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { fitItems, shortenItems, toEventRecord, toTranscriptItem } from "./describe-records.ts";

/** Reading of the run's own conversation. */
export function historyHandlers({ snapshot, conversation, facts, steering, record }: ApiContext): Handlers {
  const { apis } = snapshot;
  const handlers: { -readonly [Name in keyof Handlers]: Handlers[Name] } = {};
  if (apis.event_get) {
    handlers.event_get = async ({ event_id }) => {
      const found = await facts.events.find(event_id);
      // Without a conversation only the event's own run may read it.
      const isOwn =
        found &&
        (found.runId === record.id || (conversation !== null && conversationKey(found.event) === conversation));
      if (!found || !isOwn) throw new ApiError("not_found", "There is no such event in this conversation.");
      return toEventRecord(found, conversation ?? "");
    };
  }
  if (conversation === null) return handlers;
  if (apis.history_page) {
    handlers.history_page = async (params) => {
      const { conversation_id, before_cursor, after_cursor, limit, direction, include_artifacts } = params;
      if (conversation_id && conversation_id !== snapshot.conversationId)
        throw new ApiError("unauthorized", "A run may read its own conversation only.");
      const before = decodeCursor("history_page", conversation, before_cursor);
      const after = decodeCursor("history_page", conversation, after_cursor);
      const found = await facts.transcript.page(conversation, { before, after, limit: limit + 1, direction });
      const page = found.slice(0, limit);
      const items = fitItems(
        page.map((fact) => toTranscriptItem(fact, snapshot, { conversation, withArtifacts: include_artifacts })),
      );
      const has_more = found.length > items.length;
      const last = page[items.length - 1];
      const next_cursor = has_more && last ? encodeCursor("history_page", conversation, last.seq) : null;
      return { items, next_cursor, prev_cursor: items[0]?.cursor ?? null, has_more, total_count: null };
    };
  }
  if (apis.history_search) {
    handlers.history_search = async ({ query, filters, top_k }) => {
      const found = await facts.transcript.search(conversation, query, { roles: filters?.roles, limit: top_k });
      const wantsMessages = !filters?.item_types || filters.item_types.includes("message");
      const items = (wantsMessages ? found : []).map((fact) =>
        toTranscriptItem(fact, snapshot, { conversation, withArtifacts: false }),
      );
      return { items: shortenItems(items), total_count: null, query };
    };
  }
  if (apis.event_page) {
    handlers.event_page = async ({ before_cursor, limit }) => {
      const before = decodeCursor("event_page", conversation, before_cursor);
      const found = await facts.events.page(conversation, { before, limit: limit + 1 });
      const page = found.slice(0, limit);
      const has_more = found.length > limit;
      const last = page.at(-1);
      return {
        items: page.map((fact) => toEventRecord(fact, conversation)),
        next_cursor: has_more && last ? encodeCursor("event_page", conversation, last.seq) : null,
        ...{ prev_cursor: null, has_more, total_count: null },
      };
    };
  }
  if (apis.steering_pull)
    handlers.steering_pull = async ({ mode, limit }) => ({ items: await steering.pull(mode, limit) });
  return handlers;
}
