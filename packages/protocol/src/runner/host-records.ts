import * as z from "zod";
import { ActorContext, ConversationContext, EventContext, RunInput, SubjectContext } from "./run-context.ts";

const text = z.string().nullable();
const seconds = z.number().nullable();
const extra = z.record(z.string(), z.unknown());

/** One entry of a conversation. `content` is cut; `content_json` is whole. */
export const TranscriptItem = z.strictObject({
  transcript_id: z.string(),
  event_id: z.string(),
  conversation_id: text,
  thread_id: text,
  role: z.string(),
  item_type: z.string(),
  content: text,
  content_json: extra.nullable(),
  artifact_refs: z.array(extra),
  seq: z.number().int().nullable(),
  cursor: text,
  created_at: seconds,
  metadata: extra,
});
export type TranscriptItem = z.infer<typeof TranscriptItem>;

/** Cursors are opaque, and valid only for the call and the conversation that gave them. */
const page = { next_cursor: text, prev_cursor: text, has_more: z.boolean(), total_count: z.number().int().nullable() };

export const HistoryPage = z.strictObject({ items: z.array(TranscriptItem), ...page });
export type HistoryPage = z.infer<typeof HistoryPage>;

export const HistorySearchResult = z.strictObject({
  items: z.array(TranscriptItem),
  total_count: z.number().int().nullable(),
  query: z.string(),
});

export const EventRecord = z.strictObject({
  event_id: z.string(),
  event_type: z.string(),
  event_time: seconds,
  source: z.string(),
  bot_id: text,
  workspace_id: text,
  conversation_id: text,
  thread_id: text,
  actor_type: text,
  actor_id: text,
  actor_name: text,
  subject_type: text,
  subject_id: text,
  input_summary: text,
  input_ref: text,
  raw_ref: text,
  seq: z.number().int().nullable(),
  cursor: text,
  created_at: seconds,
  metadata: extra,
});
export type EventRecord = z.infer<typeof EventRecord>;

export const EventPage = z.strictObject({ items: z.array(EventRecord), ...page });

export const SteeringItem = z.strictObject({
  claimed_run_id: z.string(),
  runner_id: z.string(),
  claimed_at: seconds,
  event: EventContext,
  input: RunInput,
  conversation: ConversationContext.nullable(),
  actor: ActorContext.nullable(),
  subject: SubjectContext.nullable(),
  metadata: extra,
});
export type SteeringItem = z.infer<typeof SteeringItem>;

export const ArtifactMetadata = z.strictObject({
  artifact_id: z.string(),
  artifact_type: z.string(),
  mime_type: text,
  name: text,
  size_bytes: z.number().int().nullable(),
  sha256: text,
  source: z.string(),
  conversation_id: text,
  run_id: text,
  runner_id: text,
  created_at: seconds,
  expires_at: seconds,
  metadata: extra,
});

export const ArtifactRead = z.strictObject({
  artifact_id: z.string(),
  mime_type: text,
  size_bytes: z.number().int().nullable(),
  offset: z.number().int(),
  length: z.number().int().nullable(),
  content_base64: text,
  file_key: text,
  has_more: z.boolean(),
});
