/** What other use cases use of this one. */
export type { LiveAgentHost } from "./open-agent-host.ts";
