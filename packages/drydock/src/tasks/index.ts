export type * from "./agents/agent.ts";
export type * from "./progress.ts";
export type * from "./task-options.ts";
