export type { AttemptView, GoalView, TaskView } from "../../engine/index.ts";

/** The state of a run, folded from its events, for displays of a run under way. */
export async function loadGoalView() {
  const { applyEvent, createGoalView } = await (await import("../../engine/index.ts")).loadRecords();
  return { applyEvent, createGoalView };
}
