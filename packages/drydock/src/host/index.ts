export { listKnowledge, selectsModels } from "./access/config-resources.ts";
export { decodeCursor, encodeCursor } from "./access/cursor.ts";
export { stateScopeKey } from "./access/state-scope-key.ts";
export { canFitTogether, describeFilter } from "./bindings/event-filters.ts";
export { conversationKey } from "./bindings/event-id.ts";
export type { OpenLink } from "./channel/link.ts";
export { programLink } from "./channel/program-link.ts";
export { socketLink } from "./channel/socket-link.ts";
export { createHost, type Host } from "./create-host.ts";
export { openRelay } from "./develop/open-relay.ts";
export { requireHarnessDirectory } from "./gateway/write-harness-files.ts";
export type { Plugin } from "./plugins/plugin.ts";
export type {
  Harness,
  HarnessRequest,
  HostPorts,
  KnowledgeAccess,
  ProgramRequest,
  RunProgram,
  RunRecord,
} from "./ports.ts";
export { type RunnerFact, type RunnerReplay, replayRunner } from "./replay/replay-runner.ts";
export type { SourceType } from "./sources/adapter.ts";
export type { SourcePorts } from "./sources/ports.ts";
export { checkSecrets, readSettings } from "./sources/read-settings.ts";
export { type ServedSources, serveSources } from "./sources/serve-sources.ts";
export { SOURCE_TYPES } from "./sources/source-types.ts";
export { testSource } from "./sources/test-source.ts";
export { conversationOfVisitor, makeVisitor, VISITOR_HEADER } from "./sources/webchat/visitor.ts";
export { createWarnings } from "./warnings.ts";
