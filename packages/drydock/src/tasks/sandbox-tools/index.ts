export type { ConversationSandbox } from "./conversation-sandbox.ts";
export { describeExecution } from "./describe-execution.ts";
export { createSandboxTools, sandboxTools } from "./sandbox-tools.ts";
