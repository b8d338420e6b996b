/** What other use cases use of this one. */
export type { AgentHost } from "./api.ts";
