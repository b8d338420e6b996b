export { planGoal } from "./plan-goal.ts";
export { replayGoal } from "./replay-goal.ts";
export { resumeGoal, startGoal } from "./start-goal.ts";
