import { type Layer, PlanAccepted, type RunEvent } from "@drydock/protocol";
import { type CombineContext, combineResults, type TaskResult } from "./combine-results.ts";
import { createTaskBoard, type TaskBoard, type TaskState, taskKey } from "./task-board.ts";

/**
 * What a run left that came to no whole result: the results of its tasks, and the last attempt of those that were not
 * done, as one layer. What conflicts with the others is left out.
 */
export async function collectWork(context: CombineContext, events: readonly RunEvent[]): Promise<Layer | null> {
  const accepted = PlanAccepted.safeParse(events.find(({ type }) => type === "plan.accepted")?.data).data;
  const board = accepted && createTaskBoard(accepted.plan, events);
  const results = board ? readLeft(board, events) : new Map<string, TaskResult>();
  for (;;) {
    const combined = await combineResults(context, board?.tasks ?? new Map(), [...results.keys()], results);
    if (combined.ok) return combined.layer;
    for (const id of [combined.task, ...(board?.dependents(combined.task) ?? [])]) results.delete(id);
  }
}

function readLeft(board: TaskBoard, events: readonly RunEvent[]): Map<string, TaskResult> {
  const results = new Map<string, TaskResult>();
  for (const state of board.states()) {
    const layer = findLeft(state, events);
    if (layer !== null) results.set(state.task.id, { base: null, layer });
  }
  for (const [id, result] of results) {
    const state = board.get(id);
    const started = events.findLast(
      ({ type, data }) => type === "attempt.started" && data.key === `${taskKey(state)}/a1`,
    );
    const [need = ""] = state.task.dependsOn;
    const kept = started?.data.base;
    result.base = typeof kept === "string" ? kept : (results.get(need)?.layer ?? null);
  }
  return results;
}

function findLeft(state: TaskState, events: readonly RunEvent[]): string | null {
  const key = taskKey(state);
  const left = events.findLast(({ type, data }) => {
    if (typeof data.layer !== "string") return false;
    if (type === "task.done") return data.key === key;
    return type === "attempt.finished" && String(data.key).replace(/\/a\d+$/, "") === key;
  });
  return left ? String(left.data.layer) : null;
}
