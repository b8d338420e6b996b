export { createHost, type Host } from "./create-host.ts";
export type { HostPorts, RunRecord } from "./ports.ts";
