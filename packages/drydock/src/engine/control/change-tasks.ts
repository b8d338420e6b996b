import { PlanTask, type RunEvent } from "@drydock/protocol";
import type { EngineContext } from "../engine-context.ts";
import type { TaskResult } from "./combine-results.ts";
import { type TaskBoard, taskKey } from "./task-board.ts";

/** A task that is being done. */
export interface RunningTask {
  done: Promise<void>;
  stop: AbortController;
}

/** A task that comes to a standstill each time would otherwise be begun again without end, and paid for each time. */
const MAX_STALE_RESETS = 3;

/** What depends on a task that failed will never be ready. */
export async function cancelHopeless(context: EngineContext, board: TaskBoard): Promise<void> {
  // Tasks may stand in any order in a plan: one that was passed by may depend on one that is cancelled after it.
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const state of board.states()) {
      if (state.status !== "todo") continue;
      const blocker = state.task.dependsOn.find((id) => ["failed", "cancelled"].includes(board.get(id).status));
      if (blocker === undefined) continue;
      const key = taskKey(state);
      const reason = `It depends on ${blocker}, which ${board.get(blocker).status === "failed" ? "failed" : "was cancelled"}.`;
      await record(context, board, "task.cancelled", key, { key, task: state.task.id, code: "dependency", reason });
      isSettled = false;
    }
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
        affected === id ? "It was requested." : `It depends on ${id}.`,
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

/** Begins it again, a bounded number of times. */
export async function resetStale(
  context: EngineContext,
  board: TaskBoard,
  results: Map<string, TaskResult>,
  id: string,
): Promise<void> {
  const isStale = ({ type, data }: RunEvent) => type === "task.stale" && data.task === id;
  const count = context.journal.events().filter(isStale).length;
  if (count <= MAX_STALE_RESETS) return resetTask(context, board, results, id, "It was stale.");
  const key = taskKey(board.get(id));
  const reason = `It was stale ${count} times: nothing moved in it.`;
  const data = { key, task: id, attempts: 0, code: "stale", reason, layer: null, treeHash: null };
  await record(context, board, "task.failed", key, data);
}

export async function addTask(context: EngineContext, board: TaskBoard, input: unknown): Promise<void> {
  const parsed = PlanTask.safeParse(input);
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
