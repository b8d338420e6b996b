export { orderGoal } from "./order/order-goal.ts";
export { planGoal } from "./plan-goal.ts";
export { replayGoal } from "./replay-goal.ts";
export { reviewPlan } from "./review-plan.ts";
export { runFrom } from "./run-from.ts";
export { carryGoal, resumeGoal, startGoal } from "./start-goal.ts";
