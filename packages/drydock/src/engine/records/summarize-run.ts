import type { Plan, TaskStatus } from "@drydock/protocol";
import { addCost } from "./fold-events.ts";
import type { DeliveryView, GoalView, TaskView } from "./goal-view.ts";

export interface TaskSummary {
  id: string;
  title: string;
  status: TaskStatus;
  attempts: number;
  verdict: string;
  treeHash: string | null;
  /** Null where a model's price is not known. */
  costUsd: number | null;
  reason: string;
}

/** `snapshot.json`: the whole plan as it stood at the end. */
export interface RunSummary {
  runId: string;
  goal: string;
  status: string;
  verdict: string;
  reason: string;
  treeHash: string | null;
  baseHash: string | null;
  workspace: string | null;
  models: string[];
  scripted: boolean;
  endedAt: string | null;
  error: { code: string; message: string; hint: string } | null;
  usage: GoalView["usage"];
  tasks: TaskSummary[];
  deliveries: DeliveryView[];
  plan: Plan | null;
}

export function summarizeRun(runId: string, view: GoalView): RunSummary {
  return {
    runId,
    goal: view.goal,
    status: view.end?.type.replace(/^run\./, "") ?? "running",
    verdict: view.end?.verdict ?? "unverified",
    reason: view.end?.reason ?? "",
    treeHash: view.end?.treeHash ?? null,
    baseHash: view.baseHash,
    workspace: view.workspace,
    models: view.models,
    scripted: view.scripted,
    endedAt: view.end?.at ?? null,
    error: view.end?.error ?? null,
    usage: view.usage,
    tasks: [...view.tasks.values()].map(summarizeTask),
    deliveries: view.deliveries,
    plan: view.plan,
  };
}

function summarizeTask(task: TaskView): TaskSummary {
  const last = task.attempts.findLast(({ number }) => number === task.judged) ?? task.attempts.at(-1);
  return {
    id: task.id,
    title: task.planned?.title ?? "",
    status: task.status,
    attempts: task.attempts.length,
    verdict: last?.verdict ?? "unverified",
    treeHash: last?.treeHash ?? null,
    costUsd: costOf(task),
    reason: task.reason,
  };
}

export function costOf(task: TaskView): number | null {
  return task.attempts
    .flatMap(({ asks }) => asks)
    .reduce<number | null>((sum, { usage }) => addCost(sum, usage === null ? 0 : usage.costUsd), 0);
}
