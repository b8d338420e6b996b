/** What other use cases may use of this one. */
export { callAgent } from "./call-agent.ts";
