export type * from "./agents/agent.ts";
export * from "./mcp-tools/index.ts";
export type { Execution, Judgement, Stage, TaskPorts } from "./ports.ts";
export type * from "./progress.ts";
export { loadTaskPrompts } from "./prompts/load-prompts.ts";
export { runTask } from "./run-task.ts";
export { type RecordedStep, runWorkflow, type WorkflowOutcome } from "./run-workflow.ts";
export type * from "./task-options.ts";
export { readAttachments, writeFilesCode, writeVariables } from "./write-setup.ts";
