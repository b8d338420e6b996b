/** What other use cases use of this one. */
export { chat } from "./chat.ts";
export { openConversationSandbox } from "./conversation-sandbox.ts";
export type { Authority, PythonTaskPorts } from "./create-python-tasks.ts";
export { createExecStage } from "./exec-stage.ts";
export { openTaskModel, recordRun, withModel } from "./record-task.ts";
export { findPlace } from "./stage.ts";

/** Tasks take code that most uses of a dock can do without. */
export const loadTaskRuns = () => import("./execute-python-task.ts");
