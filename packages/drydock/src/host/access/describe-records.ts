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
