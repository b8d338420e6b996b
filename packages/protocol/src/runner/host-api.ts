import * as z from "zod";
import {
  ArtifactMetadata,
  ArtifactRead,
  EventPage,
  EventRecord,
  HistoryPage,
  HistorySearchResult,
  SteeringItem,
} from "./host-records.ts";
import { Message } from "./message.ts";
import { StateScope } from "./results.ts";
import { RUNNER_LIMITS as LIMITS } from "./runner-limits.ts";

interface HostCall<Params extends z.ZodRawShape = z.ZodRawShape, Result extends z.ZodType = z.ZodType> {
  /** Besides `run_id`, which every call carries. */
  params: Params;
  result: Result;
}

const define = <Params extends z.ZodRawShape, Result extends z.ZodType>(call: HostCall<Params, Result>) => call;

const items = (most: number, fallback: number) => z.number().int().min(1).max(most).default(fallback);
const offset = z.number().int().nonnegative().default(0);
const cursor = z.string().max(500).nullish();
const record = z.record(z.string(), z.unknown());
const done = z.strictObject({});
const prompt = { model_id: z.string(), messages: z.array(Message).min(1), funcs: z.array(record).nullish() };
const llmParams = { ...prompt, extra_args: record.nullish() };
const usage = z.strictObject({ input_tokens: z.number().int(), output_tokens: z.number().int() }).nullable();
const answer = z.strictObject({ message: Message, usage });
const stateKey = { scope: StateScope, key: z.string().min(1).max(LIMITS.stateKeyChars) };
const storageKey = { key: z.string().min(1).max(LIMITS.stateKeyChars) };
const stored = z.strictObject({ value: z.string().nullable().describe("Base64; null where there is none.") });
const keys = z.strictObject({ keys: z.array(z.string()) });

const storage = {
  get: define({ params: storageKey, result: stored }),
  set: define({
    params: {
      ...storageKey,
      value: z.string().describe("Base64: the value, or a part of it."),
      offset: z.number().int().nonnegative().nullish().describe("Where the part begins in the value, in bytes."),
      total_bytes: z.number().int().positive().nullish().describe("Bytes of the whole value, with each part."),
    },
    result: done,
  }),
  delete: define({ params: storageKey, result: done }),
  keys: define({ params: {}, result: keys }),
};

/** Every call that a runner can make of its host, by its name on the wire. Each carries the id of its run. */
export const HOST_API = {
  invoke_llm: define({ params: llmParams, result: answer }),
  /** Chunks come as notifications `llm.chunk` with this `stream_id`, before the answer. */
  invoke_llm_stream: define({ params: { ...llmParams, stream_id: z.string().min(1).max(100) }, result: answer }),
  invoke_rerank: define({
    params: {
      model_id: z.string(),
      query: z.string(),
      documents: z.array(z.string()).min(1).max(LIMITS.rerankDocuments),
      top_k: z.number().int().positive().nullish(),
    },
    result: z.strictObject({ results: z.array(z.strictObject({ index: z.number().int(), score: z.number() })) }),
  }),
  count_tokens: define({ params: prompt, result: z.strictObject({ tokens: z.number().int() }) }),
  get_tool_detail: define({
    params: { tool_name: z.string() },
    result: z.strictObject({ tool_name: z.string(), description: z.string(), parameters: record }),
  }),
  call_tool: define({
    params: { tool_name: z.string(), parameters: record.default({}) },
    result: z.strictObject({ result: z.unknown() }),
  }),
  list_knowledge_bases: define({
    params: {},
    result: z.strictObject({
      knowledge_bases: z.array(z.strictObject({ kb_id: z.string(), kb_name: z.string(), documents: z.number().int() })),
    }),
  }),
  retrieve_knowledge: define({
    params: {
      kb_id: z.string(),
      query_text: z.string(),
      top_k: items(LIMITS.searchItems, 5),
      filters: record.nullish(),
    },
    result: z.strictObject({
      items: z.array(
        z.strictObject({
          ...{ text: z.string(), score: z.number(), source: z.string() },
          position: z.number().int().describe("First character of the passage in the text of its document."),
          metadata: record.optional().describe("More about its place: `end`, `line`, `heading`, `page`, `rows`."),
        }),
      ),
    }),
  }),
  history_page: define({
    params: {
      conversation_id: z.string().nullish(),
      before_cursor: cursor,
      after_cursor: cursor,
      limit: items(LIMITS.pageItems, LIMITS.pageDefaultItems),
      direction: z.enum(["backward", "forward"]).default("backward"),
      include_artifacts: z.boolean().default(false),
    },
    result: HistoryPage,
  }),
  history_search: define({
    params: {
      query: z.string().min(1),
      filters: z
        .object({ roles: z.array(z.string()).optional(), item_types: z.array(z.string()).optional() })
        .nullish(),
      top_k: items(LIMITS.searchItems, LIMITS.searchDefaultItems),
    },
    result: HistorySearchResult,
  }),
  event_get: define({ params: { event_id: z.string() }, result: EventRecord }),
  event_page: define({
    params: { before_cursor: cursor, limit: items(LIMITS.pageItems, LIMITS.pageDefaultItems) },
    result: EventPage,
  }),
  steering_pull: define({
    params: {
      mode: z.enum(["all", "one-at-a-time"]).default("all"),
      limit: z.number().int().min(1).max(LIMITS.steeringPullItems).nullish(),
    },
    result: z.strictObject({ items: z.array(SteeringItem) }),
  }),
  artifact_metadata: define({ params: { artifact_id: z.string() }, result: ArtifactMetadata }),
  artifact_read: define({
    params: { artifact_id: z.string(), offset, limit: z.number().int().min(1).max(LIMITS.artifactReadBytes).nullish() },
    result: ArtifactRead,
  }),
  artifact_read_range: define({
    params: {
      artifact_id: z.string(),
      offset,
      length: items(LIMITS.artifactRangeBytes, LIMITS.artifactRangeDefaultBytes),
    },
    result: ArtifactRead,
  }),
  state_get: define({ params: stateKey, result: z.strictObject({ value: z.json().nullable() }) }),
  state_set: define({ params: { ...stateKey, value: z.json() }, result: done }),
  state_delete: define({ params: stateKey, result: done }),
  state_list: define({
    params: { scope: StateScope, prefix: z.string().max(LIMITS.stateKeyChars).nullish() },
    result: z.strictObject({
      items: z.array(z.strictObject({ key: z.string(), value: z.json() })),
      has_more: z.boolean(),
    }),
  }),
  get_plugin_storage: storage.get,
  set_plugin_storage: storage.set,
  delete_plugin_storage: storage.delete,
  get_plugin_storage_keys: storage.keys,
  get_workspace_storage: storage.get,
  set_workspace_storage: storage.set,
  delete_workspace_storage: storage.delete,
  get_workspace_storage_keys: storage.keys,
  get_file: define({
    params: { file_key: z.string() },
    result: z.strictObject({ content_base64: z.string(), name: z.string(), mime_type: z.string().nullable() }),
  }),
  /** Starts the agent of the settings in the sandbox. `after` names the run whose changes it goes on from. */
  harness_open: define({
    params: { after: z.string().max(100).nullish() },
    result: z.strictObject({ run_id: z.string() }),
  }),
  harness_send: define({
    params: { message: z.string().max(LIMITS.resultBytes).describe("One JSON-RPC message for the agent.") },
    result: done,
  }),
  /** Waits until the agent has sent something or has ended. */
  harness_read: define({
    params: {},
    result: z.strictObject({
      messages: z.array(z.string()).describe("JSON-RPC messages of the agent, in order."),
      ended: z.string().nullable().describe("Why there is nothing more to come; null: there may be."),
    }),
  }),
  /** Ends the agent with all of its processes, and gives what became of its changes. */
  harness_close: define({
    params: {},
    result: z.strictObject({
      run_id: z.string(),
      changes: z.number().int().describe("Paths that differ from the directory."),
      verdict: z.string(),
      delivery: z.enum(["applied", "kept", "discarded", "nothing"]),
    }),
  }),
  get_prompt: define({ params: {}, result: z.strictObject({ messages: z.array(Message) }) }),
  get_host_version: define({ params: {}, result: z.strictObject({ version: z.string() }) }),
} as const satisfies Record<string, HostCall>;

export type HostMethod = keyof typeof HOST_API;
export type HostParams<Method extends HostMethod> = z.output<z.ZodObject<(typeof HOST_API)[Method]["params"]>>;
/** What a caller may leave out has a default. */
export type HostInput<Method extends HostMethod> = z.input<z.ZodObject<(typeof HOST_API)[Method]["params"]>>;
export type HostResult<Method extends HostMethod> = z.output<(typeof HOST_API)[Method]["result"]>;

export const HOST_METHODS = Object.keys(HOST_API) as [HostMethod, ...HostMethod[]];

function makeParams<Method extends HostMethod>(method: Method) {
  const { params } = HOST_API[method];
  return { sent: z.strictObject({ ...params, run_id: z.string() }), own: z.strictObject({ ...params }) };
}

/** Making a schema takes 40 times as long as using it: each is made once. */
const made = new Map<HostMethod, unknown>();

function paramsOf<Method extends HostMethod>(method: Method): ReturnType<typeof makeParams<Method>> {
  const known = made.get(method) ?? makeParams(method);
  made.set(method, known);
  return known as ReturnType<typeof makeParams<Method>>;
}

/** The schema of a call's params. Unknown params are refused: a mistyped one must not be ignored. */
export function hostParams<Method extends HostMethod>(method: Method) {
  return paramsOf(method).sent;
}

/** The same without the run's id: the host takes that from the connection. */
export function ownHostParams<Method extends HostMethod>(method: Method) {
  return paramsOf(method).own;
}
