export { createHost, type Host } from "./create-host.ts";
export type { HostPorts, KnowledgeAccess, RunRecord } from "./ports.ts";
