export { planGoal } from "./plan-goal.ts";
export { replayGoal } from "./replay-goal.ts";
export { runFrom } from "./run-from.ts";
export { resumeGoal, startGoal } from "./start-goal.ts";
