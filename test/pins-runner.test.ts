import {
  API_ERROR_CODES,
  API_ERROR_NUMBER,
  EVENT_SOURCES,
  HOST_METHODS,
  HOST_NOTIFICATIONS,
  PLUGIN_NOTIFICATIONS,
  PLUGIN_PROGRAMS,
  PLUGIN_REQUESTS,
  PluginManifest,
  RESULT_PAYLOADS,
  RUNNER_LIMITS,
  RUNNER_PROTOCOL_VERSIONS,
  RunContext,
  RunnerCapabilities,
  RunnerManifest,
  RunnerPermissions,
  STATE_SCOPES,
  TERMINAL_RESULTS,
} from "@drydock/protocol/runner";
import { describe, expect, it } from "vitest";

// What runners outside this repository are written against. A change here is a change of the contract: make it on
// purpose, and say so in CHANGELOG.md.

describe("the protocol between host and runners", () => {
  it("keeps its version and the names of its messages", () => {
    expect(RUNNER_PROTOCOL_VERSIONS).toEqual(["1"]);
    expect(Object.keys(PLUGIN_REQUESTS)).toEqual(["initialize", "runner.run", "ping", "shutdown"]);
    expect(Object.keys(PLUGIN_NOTIFICATIONS)).toEqual(["run.cancel", "llm.chunk"]);
    expect(Object.keys(HOST_NOTIFICATIONS)).toEqual(["run.result", "log"]);
  });

  it("keeps the types of results, and which of them end a run", () => {
    expect(Object.keys(RESULT_PAYLOADS)).toEqual([
      ...["message.delta", "message.completed", "tool.call.started", "tool.call.completed", "artifact.created"],
      ...["state.updated", "action.requested", "run.completed", "run.failed"],
    ]);
    expect(TERMINAL_RESULTS).toEqual(["run.completed", "run.failed"]);
  });

  it("keeps the calls of the host API", () => {
    expect(HOST_METHODS).toEqual([
      ...["invoke_llm", "invoke_llm_stream", "invoke_rerank", "count_tokens", "get_tool_detail", "call_tool"],
      ...["list_knowledge_bases", "retrieve_knowledge", "history_page", "history_search", "event_get", "event_page"],
      ...["steering_pull", "artifact_metadata", "artifact_read", "artifact_read_range"],
      ...["state_get", "state_set", "state_delete", "state_list"],
      ...["get_plugin_storage", "set_plugin_storage", "delete_plugin_storage", "get_plugin_storage_keys"],
      ...["get_workspace_storage", "set_workspace_storage", "delete_workspace_storage", "get_workspace_storage_keys"],
      ...["get_file", "harness_open", "harness_send", "harness_read", "harness_close"],
      ...["get_prompt", "get_host_version"],
    ]);
  });

  it("keeps the codes of refused calls, and their JSON-RPC number", () => {
    expect(API_ERROR_CODES).toEqual([
      ...["unauthorized", "not_found", "deadline_exceeded", "payload_too_large"],
      ...["rate_limited", "invalid_argument", "runtime_error"],
    ]);
    expect(API_ERROR_NUMBER).toBe(-32_000);
  });

  it("keeps the keys of manifests", () => {
    expect(Object.keys(RunnerManifest.shape)).toEqual([
      ...["id", "name", "label", "description", "capabilities", "permissions", "config_schema", "metadata"],
    ]);
    expect(Object.keys(RunnerCapabilities.shape)).toEqual([
      ...["streaming", "tool_calling", "knowledge_retrieval", "multimodal_input", "skill_authoring", "interrupt"],
      "steering",
    ]);
    const permissions = Object.entries(RunnerPermissions.shape).map(([kind, operations]) => [
      kind,
      operations.unwrap().element.options,
    ]);
    expect(Object.fromEntries(permissions)).toEqual({
      models: ["invoke", "stream", "rerank"],
      tools: ["detail", "call"],
      knowledge_bases: ["list", "retrieve"],
      history: ["page", "search"],
      events: ["get", "page"],
      artifacts: ["metadata", "read"],
      storage: ["plugin", "workspace"],
      files: ["config", "knowledge"],
      harness: ["run"],
    });
    expect(Object.keys(PluginManifest.shape)).toEqual([
      ...["author", "name", "version", "description", "runtime", "command", "sandbox", "settingsWithHosts"],
    ]);
    expect(PLUGIN_PROGRAMS).toEqual({ node: "node", python: "python3" });
  });

  it("keeps the fields of a run's context", () => {
    expect(Object.keys(RunContext.shape)).toEqual([
      ...["run_id", "trigger", "event", "conversation", "actor", "subject", "input", "delivery", "resources"],
      ...["context", "state", "runtime", "config", "adapter", "metadata"],
    ]);
    expect(EVENT_SOURCES).toEqual(["platform", "webui", "api", "scheduler", "system", "host_adapter"]);
    expect(STATE_SCOPES).toEqual(["conversation", "actor", "subject", "runner"]);
  });

  it("keeps its limits", () => {
    expect(RUNNER_LIMITS).toEqual({
      lineBytes: 4_194_304,
      hostLineBytes: 16_777_216,
      resultBytes: 1_048_576,
      cutTextChars: 10_000,
      inlineArtifactBytes: 1_048_576,
      artifactReadBytes: 1_048_576,
      artifactRangeBytes: 10_485_760,
      artifactRangeDefaultBytes: 65_536,
      pageBytes: 2_097_152,
      pageItems: 100,
      pageDefaultItems: 50,
      searchItems: 100,
      searchDefaultItems: 10,
      rerankDocuments: 64,
      stateValueBytes: 262_144,
      stateScopeBytes: 4_194_304,
      contextStateBytes: 1_048_576,
      stateKeyChars: 255,
      stateListItems: 100,
      storageValueBytes: 10_485_760,
      storageBytes: 268_435_456,
      steeringQueueItems: 100,
      steeringPullItems: 100,
      summaryChars: 1000,
      transcriptTextChars: 4000,
      runSeconds: 300,
    });
  });
});
