import { PlanTask } from "@drydock/protocol";
import type { EngineContext } from "../engine-context.ts";
import type { TaskResult } from "./combine-results.ts";
import { type TaskBoard, taskKey } from "./task-board.ts";

/** A task that is being done. */
export interface RunningTask {
  done: Promise<void>;
  stop: AbortController;
}

/** What depends on a task that failed will never be ready. */
export async function cancelHopeless(context: EngineContext, board: TaskBoard): Promise<void> {
  for (const state of board.states()) {
    if (state.status !== "todo") continue;
    const blocker = state.task.dependsOn.find((id) => ["failed", "cancelled"].includes(board.get(id).status));
    if (blocker === undefined) continue;
    const key = taskKey(state);
    const reason = `It depends on ${blocker}, which ${board.get(blocker).status === "failed" ? "failed" : "was cancelled"}.`;
    await record(context, board, "task.cancelled", key, { key, task: state.task.id, code: "dependency", reason });
    // The next ones depend on this one.
    return cancelHopeless(context, board);
  }
}

export async function retryTask(
  context: EngineContext,
  board: TaskBoard,
  results: Map<string, TaskResult>,
  id: string,
  running: ReadonlyMap<string, RunningTask>,
): Promise<void> {
  if (!board.tasks.has(id)) return;
  for (const affected of [id, ...board.dependents(id)]) {
    running.get(affected)?.stop.abort();
    await running.get(affected)?.done;
    if (affected === id || board.get(affected).status !== "todo") {
      await resetTask(
        context,
        board,
        results,
        affected,
        affected === id ? "Somebody asked for it." : `It depends on ${id}.`,
      );
    }
  }
}

export async function resetTask(
  context: EngineContext,
  board: TaskBoard,
  results: Map<string, TaskResult>,
  id: string,
  reason: string,
  conflict?: readonly string[],
): Promise<void> {
  results.delete(id);
  const key = taskKey(board.get(id));
  await record(context, board, "task.reset", key, {
    key,
    task: id,
    reason,
    ...(conflict && { conflict: [...conflict] }),
  });
}

export async function addTask(context: EngineContext, board: TaskBoard, given: unknown): Promise<void> {
  const parsed = PlanTask.safeParse(given);
  if (!parsed.success || board.tasks.has(parsed.data.id)) return;
  if (!parsed.data.dependsOn.every((id) => board.tasks.has(id))) return;
  const key = parsed.data.id;
  await record(context, board, "task.added", key, { key, task: key, added: parsed.data });
}

export async function record(
  { journal }: EngineContext,
  board: TaskBoard,
  type: "task.failed" | "task.cancelled" | "task.reset" | "task.added",
  key: string,
  data: Record<string, unknown>,
): Promise<void> {
  await journal.append([{ type, key, data }]);
  board.take({ type, data });
}
