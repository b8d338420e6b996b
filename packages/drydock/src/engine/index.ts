export { collectWork } from "./control/collect-work.ts";
export type { ControlPorts, ControlRequest } from "./control/run-tasks.ts";
export { createTaskBoard, type TaskBoard } from "./control/task-board.ts";
export { lastMoves } from "./control/watch-stale.ts";
export type { Conflict, DeliveryJournal, OpenDelivery, ReducedMode } from "./deliver/index.ts";
export {
  type EngineContext,
  type EngineSettings,
  type FollowedWork,
  openTree,
  type RepairSettings,
  RunPaused,
} from "./engine-context.ts";
export { createLayerCache } from "./layer-cache.ts";
export type { StrengthProgress } from "./mutate/index.ts";
export { describeProblems, planJsonSchema } from "./plan/make-plan.ts";
export { validatePlan } from "./plan/validate-plan.ts";
export type { Documents, Journal, JournalEntry, TreeRun, TreeRunner, TreeRunResult } from "./ports.ts";
export { loadPrompts, type Prompts } from "./prompts/load-prompts.ts";
export type { PinnedKey, VerifiedReceipt } from "./receipts/index.ts";
export type {
  AttemptView,
  DeliveryView,
  GoalView,
  Recorder,
  TaskView,
  VerdictReport,
  WrittenRecords,
} from "./records/index.ts";
export type { RepairOutcome } from "./repair/index.ts";
export { compareRuns } from "./replay/compare-runs.ts";
export { describeMissingStep, NOT_RECORDED } from "./replay/describe-missing-step.ts";
export { type GoalOutcome, runGoal, settlePlan } from "./run-goal.ts";
export * from "./verify/index.ts";
export { writesJsonSchema } from "./work/make-attempt.ts";

/** Telling of a run takes code that doing it does not. */
export const loadRecords = () => import("./records/index.ts");
export const loadProfile = () => import("./profile/index.ts");
export const loadDelivery = () => import("./deliver/index.ts");
export const loadReceiptFormat = () => import("./receipts/index.ts");
export const loadRepair = () => import("./repair/index.ts");
export const loadStrength = () => import("./mutate/index.ts");
