import type { EventRecord, TranscriptItem } from "@drydock/protocol/runner";
import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import type { StoredEvent, TranscriptEntry } from "../../ledger/index.ts";
import { encodeCursor } from "./cursor.ts";
import type { AccessSnapshot } from "./snapshot.ts";

const seconds = (at: string) => Math.floor(Date.parse(at) / 1000);

export function toTranscriptItem(
  { seq, id, eventId, role, content, message, artifacts, createdAt }: TranscriptEntry,
  { conversationId, threadId }: AccessSnapshot,
  { conversation, withArtifacts }: { conversation: string; withArtifacts: boolean },
): TranscriptItem {
  return {
    ...{ transcript_id: id, event_id: eventId, conversation_id: conversationId, thread_id: threadId },
    ...{ role, item_type: "message", content, content_json: message },
    artifact_refs: withArtifacts ? artifacts : [],
    ...{ seq, cursor: encodeCursor("history_page", conversation, seq), created_at: seconds(createdAt), metadata: {} },
  };
}

/** As many of the first items as fit into one answer: at least one, which is shortened where it is too large alone. */
export function fitItems(items: readonly TranscriptItem[]): TranscriptItem[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += jsonBytes(item);
    return index > 0 && bytes > RUNNER_LIMITS.pageBytes;
  });
  return (end === -1 ? items : items.slice(0, end)).map((item, index) =>
    index === 0 && jsonBytes(item) > RUNNER_LIMITS.pageBytes ? shorten(item) : item,
  );
}

/** All items: those that no longer fit into one answer have the beginning of their text only. */
export function shortenItems(items: readonly TranscriptItem[]): TranscriptItem[] {
  let bytes = 0;
  return items.map((item) => {
    bytes += jsonBytes(item);
    return bytes > RUNNER_LIMITS.pageBytes ? shorten(item) : item;
  });
}

function shorten(item: TranscriptItem): TranscriptItem {
  const { role, content, metadata } = item;
  return { ...item, content_json: { role, content }, artifact_refs: [], metadata: { ...metadata, truncated: true } };
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

export function toEventRecord({ seq, id, event, createdAt, outcome }: StoredEvent, conversation: string): EventRecord {
  const { type, source, time, actor, subject, input } = event;
  const { bot_id, workspace_id, conversation_id, thread_id } = event.conversation ?? {};
  return {
    ...{ event_id: id, event_type: type, event_time: time ?? null, source },
    ...{ bot_id: bot_id ?? null, workspace_id: workspace_id ?? null },
    ...{ conversation_id: conversation_id ?? null, thread_id: thread_id ?? null },
    ...{ actor_type: actor?.actor_type ?? null, actor_id: actor?.actor_id ?? null },
    ...{ actor_name: actor?.actor_name ?? null },
    ...{ subject_type: subject?.subject_type ?? null, subject_id: subject?.subject_id ?? null },
    input_summary: input.text?.slice(0, RUNNER_LIMITS.summaryChars) ?? null,
    ...{ input_ref: null, raw_ref: null, seq },
    cursor: encodeCursor("event_page", conversation, seq),
    ...{ created_at: seconds(createdAt), metadata: { outcome } },
  };
}
