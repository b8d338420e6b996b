export { planGoal } from "./plan-goal.ts";
export { replayGoal } from "./replay-goal.ts";
export { reviewPlan } from "./review-plan.ts";
export { runFrom } from "./run-from.ts";
export { resumeGoal, startGoal } from "./start-goal.ts";
