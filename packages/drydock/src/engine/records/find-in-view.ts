import type { CheckResult, RunEvent } from "@drydock/protocol";
import type { AttemptView, GoalView, TaskView } from "./goal-view.ts";

export function taskOf(view: GoalView, id: string): TaskView {
  const found = view.tasks.get(id);
  if (found) return found;
  const task: TaskView = {
    id,
    planned: null,
    status: "todo",
    startedAt: null,
    endedAt: null,
    reason: "",
    judged: null,
    attempts: [],
    searching: null,
    repair: null,
  };
  view.tasks.set(id, task);
  return task;
}

/** Where an event belongs. */
export interface AttemptKey {
  task?: string;
  attempt?: number;
  key?: string;
}

/** The attempt that an event names, or the task's last one where it names none. */
export function attemptOf(view: GoalView, event: RunEvent, place: AttemptKey | undefined): AttemptView | undefined {
  if (place?.task === undefined) return undefined;
  const { attempts } = taskOf(view, place.task);
  const number = place.attempt ?? attemptInKey(place.key) ?? attempts.at(-1)?.number ?? 1;
  const found = attempts.findLast((attempt) => attempt.number === number);
  return found ?? beginAttempt(taskOf(view, place.task), number, event.at);
}

/** `fix/a2/answer/1` belongs to the second attempt: attempts may be made side by side. */
function attemptInKey(key: string | undefined): number | undefined {
  const number = /\/a(\d+)(\/|$)/.exec(key ?? "")?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Where the directory changed meanwhile, its checks are made again, and those before count no more. */
export function checksOf(view: GoalView, event: RunEvent, data: AttemptKey & { round?: number }): CheckResult[] {
  const attempt = attemptOf(view, event, data);
  if (attempt) return attempt.checks;
  const { round = 0 } = data;
  if (round > view.checksRound) view.checks = [];
  view.checksRound = round;
  return view.checks;
}

export function beginAttempt(task: TaskView, attemptNumber: number | undefined, at: string): AttemptView {
  const number = attemptNumber ?? (task.attempts.at(-1)?.number ?? 0) + 1;
  const round = task.attempts.filter((attempt) => attempt.number === number).length + 1;
  const attempt: AttemptView = {
    number,
    round,
    startedAt: at,
    finishedAt: null,
    verifiedAt: null,
    baseHash: "",
    on: [],
    treeHash: null,
    diff: null,
    summary: "",
    failure: null,
    candidate: null,
    asks: [],
    tools: [],
    checks: [],
    verdict: null,
    reason: "",
    verification: null,
    rework: null,
  };
  task.attempts.push(attempt);
  return attempt;
}
