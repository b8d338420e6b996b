export { createHost, type Host, type SendOptions, type SendResult } from "./create-host.ts";
export type { Plugin } from "./plugins/plugin.ts";
export type { HostPorts, ModelQuestion, RunRecord } from "./ports.ts";
