import type { ListedTask } from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { GoalOptions, GoalResult } from "../goals/api.ts";
import type { TasksPorts } from "./create-tasks.ts";

export interface BacklogRunOptions extends Omit<GoalOptions, "goal" | "plan" | "planSource"> {
  /** The tasks to run. Default: all that wait. A failed or cancelled task runs again if it is named. */
  tasks?: readonly string[];
}

/** Tasks that belong to no plan, until a run takes them; and those of runs that have not ended. */
export interface Tasks {
  add(workspace: string, task: unknown): Promise<ListedTask>;
  list(options?: { workspace?: string }): Promise<ListedTask[]>;
  /** Takes a task that waits, or that failed, off the list of what is to be done. */
  cancel(workspace: string, id: string): Promise<void>;
  /** Carries tasks out as one run. One is done once the run's verdict is `passed`. */
  run(options: BacklogRunOptions): Promise<GoalResult>;
}

/** @internal */
export function openTasks(ports: TasksPorts): Tasks {
  const later = loadLater(async () => (await import("./create-tasks.ts")).createTasks(ports));
  return {
    add: later((tasks) => tasks.add),
    list: later((tasks) => tasks.list),
    cancel: later((tasks) => tasks.cancel),
    run: later((tasks) => tasks.run),
  };
}
