export { createHost, type Host, type SendOptions, type SendResult } from "./create-host.ts";
export type { HostPorts, RunRecord } from "./ports.ts";
