/** What other use cases use of this one. */
export { callAgent } from "./call-agent.ts";
export { createCapabilityHost } from "./capability-host.ts";
export { createToolHost } from "./tool-host.ts";
