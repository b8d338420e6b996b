/** What other use cases use of this one. */
export { callAgent } from "./call-agent.ts";
