export { conversationKey } from "./bindings/event-id.ts";
export { createHost, type Host } from "./create-host.ts";
export type { HostPorts, RunRecord } from "./ports.ts";
