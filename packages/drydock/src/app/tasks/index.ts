/** What other use cases use of this one. */
export { chat } from "./chat.ts";
export type { Authority, PythonTaskPorts } from "./create-python-tasks.ts";
export { openTaskModel, recordRun } from "./record-task.ts";
