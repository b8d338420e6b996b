import { type Check, type Plan, PlanTask, type RequiredCheck, type RunEvent, type TaskStatus } from "@drydock/protocol";

/*
 * A task's life: todo → doing → done | failed | cancelled. Doing becomes stale where nothing has moved for a set time;
 * a reset takes stale, failed, cancelled or done back to todo, in a new round whose records have keys of their own.
 */
export interface TaskState {
  task: PlanTask;
  status: TaskStatus;
  /** How often it has been reset. */
  round: number;
  /** Where it is done again because its result did not fit to others'. */
  conflict?: readonly string[];
  reason: string;
}

export interface TaskBoard {
  readonly tasks: ReadonlyMap<string, PlanTask>;
  get(id: string): TaskState;
  states(): TaskState[];
  /** The checks of all tasks, and people's; the same list for as long as no task is added. */
  checks(): readonly Check[];
  /** Whatever depends on the task, directly or not. */
  dependents(id: string): string[];
  /** Takes an event in. The board is nothing but the sum of its events. */
  take(event: Pick<RunEvent, "type" | "data">): void;
}

export function taskKey({ task, round }: Pick<TaskState, "task" | "round">): string {
  return round === 0 ? task.id : `${task.id}~${round}`;
}

export function createTaskBoard(
  plan: Plan,
  events: readonly RunEvent[],
  required: readonly RequiredCheck[] = [],
): TaskBoard {
  const states = new Map<string, TaskState>();
  const tasks = new Map<string, PlanTask>();
  let checks: readonly Check[] | undefined;
  const add = (task: PlanTask) => {
    checks = undefined;
    tasks.set(task.id, task);
    states.set(task.id, { task, status: "todo", round: 0, reason: "" });
  };
  for (const task of plan.tasks) add(task);

  const board: TaskBoard = {
    tasks,
    get(id) {
      const state = states.get(id);
      if (!state) throw new Error(`there is no task ${id}`);
      return state;
    },
    states: () => [...states.values()],
    checks() {
      checks ??= [...[...tasks.values()].flatMap((task) => task.checks), ...required.map(({ check }) => check)];
      return checks;
    },
    dependents(id) {
      const found = new Set<string>([id]);
      // Tasks may stand in any order in a plan, so that one pass is not enough.
      for (let size = 0; size !== found.size; ) {
        size = found.size;
        for (const task of tasks.values()) if (task.dependsOn.some((need) => found.has(need))) found.add(task.id);
      }
      found.delete(id);
      return [...found];
    },
    take({ type, data }) {
      if (type === "task.added") {
        const parsed = PlanTask.safeParse(data.added);
        if (parsed.success && !tasks.has(parsed.data.id)) add(parsed.data);
        return;
      }
      const state = states.get(String(data.task));
      if (!state || !type.startsWith("task.")) return;
      const reason = typeof data.reason === "string" ? data.reason : "";
      if (type === "task.reset") {
        const conflict = Array.isArray(data.conflict) ? data.conflict.map(String) : undefined;
        states.set(state.task.id, { task: state.task, status: "todo", round: state.round + 1, reason, conflict });
        return;
      }
      const status = STATUS_AFTER[type];
      if (status) states.set(state.task.id, { ...state, status, reason });
    },
  };
  for (const event of events) board.take(event);
  return board;
}

const STATUS_AFTER: Partial<Record<string, TaskStatus>> = {
  "task.started": "doing",
  "task.done": "done",
  "task.failed": "failed",
  "task.cancelled": "cancelled",
  "task.stale": "stale",
};
