import type { RunEvent } from "@drydock/protocol";
import type { EngineContext } from "../engine-context.ts";
import { type TaskBoard, taskKey } from "./task-board.ts";

export interface StaleWatch {
  /** Marks what has not moved for too long. */
  look(): Promise<void>;
}

/** When each task last moved, by what is on record. */
export function lastMoves(
  events: readonly RunEvent[],
  from = 0,
  moves = new Map<string, number>(),
): Map<string, number> {
  for (const event of events.slice(from)) {
    if (typeof event.data.task === "string") moves.set(event.data.task, Date.parse(event.at));
  }
  return moves;
}

export function watchStale(
  context: Pick<EngineContext, "journal" | "settings" | "now">,
  board: TaskBoard,
  onStale: (task: string) => Promise<void>,
): StaleWatch {
  const { journal, settings } = context;
  const limitMs = settings.staleSeconds * 1000;
  let seen = 0;
  const moves = new Map<string, number>();
  return {
    async look() {
      if (limitMs === 0) return;
      const events = journal.events();
      lastMoves(events, seen, moves);
      seen = events.length;
      for (const [id, moved] of moves) {
        const state = board.tasks.has(id) ? board.get(id) : undefined;
        // A task that is not under way is looked at again when it next moves: a long plan has many that are done.
        if (state?.status !== "doing") moves.delete(id);
        if (state?.status !== "doing" || context.now() - moved < limitMs) continue;
        const key = taskKey(state);
        const reason = `Nothing has moved for ${settings.staleSeconds} s.`;
        const data = { key, task: state.task.id, reason, since: new Date(moved).toISOString() };
        await journal.append([{ type: "task.stale", key, data }]);
        board.take({ type: "task.stale", data });
        await onStale(state.task.id);
      }
    },
  };
}
