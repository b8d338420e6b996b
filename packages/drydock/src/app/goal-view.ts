import { loadRecords } from "../engine/index.ts";

/** What a run's events say, folded: for whoever shows a run while it is under way. */
export async function loadGoalView() {
  const { applyEvent, createGoalView } = await loadRecords();
  return { applyEvent, createGoalView };
}
