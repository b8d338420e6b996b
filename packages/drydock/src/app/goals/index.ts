export { planGoal } from "./plan-goal.ts";
export { resumeGoal, startGoal } from "./start-goal.ts";
