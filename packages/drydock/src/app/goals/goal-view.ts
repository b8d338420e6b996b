export type { AttemptView, GoalView, TaskView } from "../../engine/index.ts";

/** What a run's events say, folded: for whoever shows a run while it is under way. */
export async function loadGoalView() {
  const { applyEvent, createGoalView } = await (await import("../../engine/index.ts")).loadRecords();
  return { applyEvent, createGoalView };
}
