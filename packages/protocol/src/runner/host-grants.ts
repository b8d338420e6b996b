import type { HostMethod } from "./host-api.ts";
import type { RunnerCapabilities, RunnerPermissions } from "./manifest.ts";
import type { AvailableApis } from "./run-context.ts";

type Permission = {
  [Kind in keyof RunnerPermissions]: readonly [kind: Kind, ...anyOf: RunnerPermissions[Kind]];
}[keyof RunnerPermissions];

/** What a call of the host API needs: all that its row names. */
export interface HostGrant {
  /** The manifest asks for one of these operations. */
  permission?: Permission;
  /** The manifest says that the runner can do this. */
  capability?: keyof RunnerCapabilities;
  /** The run has a resource with this id, and one of the permission's operations on it. */
  resource?: { list: "models" | "tools" | "knowledge_bases" | "files"; id: string; param: string };
  /** The run has this kind of storage. */
  storage?: "plugin_storage" | "workspace_storage";
  /** The context says that the call is available. */
  flag?: keyof (typeof AvailableApis)["shape"];
}

const model = { list: "models", id: "model_id", param: "model_id" } as const;
const tool = { list: "tools", id: "tool_name", param: "tool_name" } as const;
const detail = { permission: ["tools", "detail"], capability: "tool_calling", resource: tool } as const;
const state = { flag: "state" } as const;
const readArtifact = { permission: ["artifacts", "read"], flag: "artifact_read" } as const;
const pluginStorage = { permission: ["storage", "plugin"], storage: "plugin_storage", flag: "storage" } as const;
const workspaceStorage = {
  permission: ["storage", "workspace"],
  storage: "workspace_storage",
  flag: "storage",
} as const;

const harness = { permission: ["harness", "run"] } as const;

export const HOST_GRANTS: Readonly<Record<HostMethod, HostGrant>> = {
  invoke_llm: { permission: ["models", "invoke"], resource: model },
  invoke_llm_stream: { permission: ["models", "stream"], resource: model },
  invoke_rerank: { permission: ["models", "rerank"], resource: model },
  count_tokens: { permission: ["models", "invoke", "stream"], resource: model },
  get_tool_detail: detail,
  call_tool: { ...detail, permission: ["tools", "call"] },
  list_knowledge_bases: { permission: ["knowledge_bases", "list"], capability: "knowledge_retrieval" },
  retrieve_knowledge: {
    permission: ["knowledge_bases", "retrieve"],
    capability: "knowledge_retrieval",
    resource: { list: "knowledge_bases", id: "kb_id", param: "kb_id" },
  },
  history_page: { permission: ["history", "page"], flag: "history_page" },
  history_search: { permission: ["history", "search"], flag: "history_search" },
  event_get: { permission: ["events", "get"], flag: "event_get" },
  event_page: { permission: ["events", "page"], flag: "event_page" },
  steering_pull: { capability: "steering", flag: "steering_pull" },
  artifact_metadata: { permission: ["artifacts", "metadata"], flag: "artifact_metadata" },
  artifact_read: readArtifact,
  artifact_read_range: readArtifact,
  state_get: state,
  state_set: state,
  state_delete: state,
  state_list: state,
  get_plugin_storage: pluginStorage,
  set_plugin_storage: pluginStorage,
  delete_plugin_storage: pluginStorage,
  get_plugin_storage_keys: pluginStorage,
  get_workspace_storage: workspaceStorage,
  set_workspace_storage: workspaceStorage,
  delete_workspace_storage: workspaceStorage,
  get_workspace_storage_keys: workspaceStorage,
  get_file: {
    permission: ["files", "config", "knowledge"],
    resource: { list: "files", id: "file_id", param: "file_key" },
  },
  harness_open: harness,
  harness_send: harness,
  harness_read: harness,
  harness_close: harness,
  get_prompt: {},
  get_host_version: {},
};
