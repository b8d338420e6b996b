/** What other use cases use of this one. */
export { replayGoal } from "./actions.ts";
export { findBase } from "./find-base.ts";
export type { GoalPorts } from "./goal-ports.ts";
export type { GoalRequest } from "./goal-request.ts";
export { REPAIR_DEFAULTS } from "./read-worker.ts";
