export { type CapabilityOptions, capability } from "./capability.ts";
export type { CapabilityHost } from "./capability-host.ts";
