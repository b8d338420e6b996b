import * as z from "zod";
import { ContentPart } from "./message.ts";

const text = z.string().nullish();
const seconds = z.number().nullish().describe("Seconds since 1970, UTC.");
const extra = z.record(z.string(), z.unknown()).default({});

export const EVENT_SOURCES = ["platform", "webui", "api", "scheduler", "system", "host_adapter"] as const;

export const Trigger = z.looseObject({ type: z.string(), source: z.enum(EVENT_SOURCES), timestamp: seconds });

export const EventContext = z.looseObject({
  event_id: z.string(),
  event_type: z.string(),
  event_time: seconds,
  source: z.string(),
  source_event_type: text,
  raw_ref: z.unknown().optional(),
  data: extra.describe("Small facts. Large ones are artifacts."),
});
export type EventContext = z.infer<typeof EventContext>;

export const ConversationContext = z.looseObject({
  conversation_id: text,
  thread_id: text,
  launcher_type: text,
  launcher_id: text,
  sender_id: text,
  bot_id: text,
  workspace_id: text,
  session_id: text,
});
export type ConversationContext = z.infer<typeof ConversationContext>;

export const ActorContext = z.looseObject({
  actor_type: z.string().describe("What acts, such as `user` or `bot`."),
  actor_id: text.describe("Id of the actor at the source of the event."),
  actor_name: text.describe("Name of the actor, for people."),
  metadata: extra.describe("Other facts about the actor."),
});
export type ActorContext = z.infer<typeof ActorContext>;

export const SubjectContext = z.looseObject({
  subject_type: z.string().describe("What the event is about, such as `message` or `issue`."),
  subject_id: text.describe("Id of the subject at the source of the event."),
  data: extra.describe("Other facts about the subject."),
});
export type SubjectContext = z.infer<typeof SubjectContext>;

export const ArtifactHandle = z.looseObject({
  artifact_id: z.string(),
  artifact_type: z.string(),
  mime_type: text,
  name: text,
  size_bytes: z.number().int().nullish(),
});

export const RunInput = z.looseObject({
  text,
  contents: z.array(ContentPart).default([]),
  attachments: z.array(ArtifactHandle).default([]),
});
export type RunInput = z.infer<typeof RunInput>;

export const DeliveryContext = z.looseObject({
  surface: z.string().describe("Where the answer is shown, such as `api` or the name of a chat platform."),
  reply_target: z.record(z.string(), z.unknown()).nullish().describe("Where the answer goes, in the surface's words."),
  supports_streaming: z.boolean().default(false).describe("Whether the surface shows text as it comes."),
  supports_edit: z.boolean().default(false).describe("Whether messages can be changed after they were sent."),
  supports_reaction: z.boolean().default(false).describe("Whether messages can get reactions."),
  max_message_size: z.number().int().positive().nullish().describe("The most characters of one message."),
  platform_capabilities: extra.describe("What else the surface can do."),
});
export type DeliveryContext = z.infer<typeof DeliveryContext>;

const flag = z.boolean().default(false);

export const AvailableApis = z.looseObject({
  history_page: flag,
  history_search: flag,
  event_get: flag,
  event_page: flag,
  artifact_metadata: flag,
  artifact_read: flag,
  state: flag,
  storage: flag,
  steering_pull: flag,
});
export type AvailableApis = z.infer<typeof AvailableApis>;

/** What the host has put into the context, and which calls give more. History is never part of it. */
export const ContextAccess = z.looseObject({
  conversation_id: text,
  thread_id: text,
  latest_cursor: text,
  event_seq: z.number().int().nullish(),
  transcript_seq: z.number().int().nullish(),
  has_history_before: flag,
  inline_policy: z.looseObject({
    mode: z.enum(["none", "current_event", "recent_tail", "summary_tail"]),
    delivered_count: z.number().int().default(0),
    source_total_count: z.number().int().nullish(),
    messages_complete: flag,
    reason: text,
  }),
  available_apis: AvailableApis,
});

const resource = { operations: z.array(z.string()).default([]) };

/** What the run may use, each with the operations that are granted. */
export const RunResources = z.looseObject({
  models: z.array(z.looseObject({ model_id: z.string(), model_type: text, provider: text, ...resource })).default([]),
  tools: z.array(z.looseObject({ tool_name: z.string(), tool_type: text, description: text, ...resource })).default([]),
  knowledge_bases: z.array(z.looseObject({ kb_id: z.string(), kb_name: text, kb_type: text, ...resource })).default([]),
  skills: z.array(z.looseObject({ skill_name: z.string(), display_name: text, description: text })).default([]),
  files: z
    .array(z.looseObject({ file_id: z.string(), file_name: text, mime_type: text, source: text, ...resource }))
    .default([]),
  storage: z
    .looseObject({ plugin_storage: flag, workspace_storage: flag })
    .default({ plugin_storage: false, workspace_storage: false }),
  platform_capabilities: extra,
});
export type RunResources = z.infer<typeof RunResources>;

export const RunState = z.looseObject({ conversation: extra, actor: extra, subject: extra, runner: extra });

/** Everything that a runner is told about one run. Runners ignore fields that they do not know. */
export const RunContext = z.looseObject({
  run_id: z.string(),
  trigger: Trigger,
  event: EventContext,
  conversation: ConversationContext.nullish(),
  actor: ActorContext.nullish(),
  subject: SubjectContext.nullish(),
  input: RunInput,
  delivery: DeliveryContext,
  resources: RunResources,
  context: ContextAccess,
  state: RunState,
  runtime: z.looseObject({ version: text, trace_id: text, deadline_at: z.number().nullish(), metadata: extra }),
  config: extra,
  adapter: z.record(z.string(), z.unknown()).nullish(),
  metadata: extra,
});
export type RunContext = z.infer<typeof RunContext>;
export type RunContextInput = z.input<typeof RunContext>;

export const RunRequest = z.looseObject({ runner_id: z.string(), runner_name: z.string(), context: RunContext });
export type RunRequest = z.infer<typeof RunRequest>;
