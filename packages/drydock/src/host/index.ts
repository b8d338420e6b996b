export type { OpenLink } from "./channel/link.ts";
export { programLink } from "./channel/program-link.ts";
export { socketLink } from "./channel/socket-link.ts";
export { createHost, type Host } from "./create-host.ts";
export { openRelay } from "./develop/open-relay.ts";
export type { Plugin } from "./plugins/plugin.ts";
export type { HostPorts, KnowledgeAccess, ProgramRequest, RunProgram, RunRecord } from "./ports.ts";
