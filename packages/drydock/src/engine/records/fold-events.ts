import { CheckResult, RepairFinished, RepairProgressed, type RunEvent, type TaskStatus } from "@drydock/protocol";
import type * as z from "zod";
import {
  AnsweredData,
  AttemptData,
  CheckData,
  CreatedData,
  EndData,
  FailureData,
  FollowedData,
  LayerData,
  ModelAskedData,
  PlanData,
  RefusedData,
  ReworkData,
  TaskData,
  ToolData,
  VerifiedData,
} from "./event-data.ts";
import { type AttemptKey, attemptOf, beginAttempt, checksOf, taskOf } from "./find-in-view.ts";
import { type AskView, createGoalView, type GoalView } from "./goal-view.ts";

/** The whole run as its events tell it. Types of event that this version does not know are passed over. */
export function foldEvents(events: readonly RunEvent[]): GoalView {
  const view = createGoalView();
  for (const event of events) applyEvent(view, event);
  return view;
}

const TASK_STATUS: Partial<Record<RunEvent["type"], TaskStatus>> = {
  "task.added": "todo",
  "task.started": "doing",
  "task.done": "done",
  "task.failed": "failed",
  "task.cancelled": "cancelled",
  "task.stale": "stale",
  "task.reset": "todo",
};

/** Adds one event to a view. The same events in the same order always give the same view. */
export function applyEvent(view: GoalView, event: RunEvent): void {
  view.lastAt = event.at;
  const status = TASK_STATUS[event.type];
  if (status) applyTask(view, event, status);
  else if (event.type.startsWith("model.")) applyModel(view, event);
  else if (event.type.startsWith("attempt.")) applyAttempt(view, event);
  else if (event.type.startsWith("layer.")) applyLayer(view, event);
  else if (event.type.startsWith("repair.")) applyRepair(view, event);
  else applyOther(view, event);
}

function applyOther(view: GoalView, event: RunEvent): void {
  switch (event.type) {
    case "run.created": {
      const data = parse(CreatedData, event);
      view.goal = data?.request?.goal ?? data?.title ?? "";
      view.planSource = data?.request?.planSource ?? "";
      view.models = [data?.request?.model ?? []].flat();
      view.scripted = view.models.some((model) => model.startsWith("scripted:"));
      view.worker = data?.request?.worker === "repair" ? "repair" : "model";
      view.workspace = data?.workspace ?? null;
      view.checksFile = data?.request?.checksFile ?? null;
      view.follows = data?.request?.follow?.run ?? null;
      view.comments = data?.request?.follow?.comments ?? [];
      return;
    }
    case "run.followed": {
      const data = parse(FollowedData, event);
      view.follows = data?.run ?? view.follows;
      view.account = data?.account ?? null;
      view.baseHash = data?.baseHash ?? view.baseHash;
      return;
    }
    case "plan.accepted": {
      const data = parse(PlanData, event);
      view.plan = data?.plan ?? view.plan;
      view.planSource = data?.source ?? view.planSource;
      view.review = data?.review ?? "";
      for (const planned of data?.plan?.tasks ?? []) taskOf(view, planned.id).planned = planned;
      return;
    }
    case "plan.refused": {
      const problems = parse(RefusedData, event)?.problems ?? [];
      view.refused.push(problems.map(({ where = "", problem = "" }) => ({ where, problem })));
      return;
    }
    case "tool.finished": {
      const data = parse(ToolData, event);
      const { name = "", arguments: args, failed = false, summary = "" } = data ?? {};
      attemptOf(view, event, data)?.tools.push({ name, arguments: args, failed, summary });
      return;
    }
    case "check.finished": {
      const data = parse(CheckData, event);
      if (data) checksOf(view, event, data).push(CheckResult.parse(data));
      return;
    }
    case "task.verified": {
      const data = parse(VerifiedData, event);
      const attempt = attemptOf(view, event, data);
      if (!attempt) return;
      attempt.verdict = data?.verdict ?? null;
      attempt.reason = data?.reason ?? "";
      attempt.verifiedAt = event.at;
      attempt.treeHash = data?.treeHash ?? attempt.treeHash;
      attempt.verification = data?.verification ?? null;
      return;
    }
    case "rework.requested": {
      const data = parse(ReworkData, event);
      const attempt = attemptOf(view, event, data);
      if (attempt) attempt.rework = data?.request ?? null;
      return;
    }
    case "tree.verified": {
      const data = parse(VerifiedData, event);
      view.treeVerdict = data?.verdict ?? null;
      view.treeVerification = data?.verification ?? null;
      view.treeReason = data?.reason ?? "";
      return;
    }
    case "run.succeeded":
    case "run.failed":
    case "run.cancelled":
    case "run.lost":
      applyEnd(view, event);
      return;
    default:
  }
}

function applyEnd(view: GoalView, event: RunEvent): void {
  const data = parse(EndData, event);
  const error = data?.error ?? null;
  view.end = {
    at: event.at,
    type: event.type,
    verdict: data?.verdict ?? "unverified",
    treeHash: data?.treeHash ?? null,
    reason: data?.reason ?? "",
    strength: data?.strength ?? null,
    error: error && { code: error.code ?? "", message: error.message ?? "", hint: error.hint ?? "" },
  };
  if (data?.usage) {
    const { calls = 0, inputTokens = 0, outputTokens = 0, costUsd = null } = data.usage;
    view.usage = { calls, inputTokens, outputTokens, costUsd };
  }
}

function applyTask(view: GoalView, event: RunEvent, status: TaskStatus): void {
  const data = parse(TaskData, event);
  if (!data?.task) return;
  const task = taskOf(view, data.task);
  task.planned ??= data.added ?? null;
  task.status = status;
  task.reason = data.reason ?? "";
  task.judged = data.judged ?? null;
  if (status === "doing") task.startedAt ??= event.at;
  task.endedAt = status === "doing" || status === "todo" ? null : event.at;
}

function applyModel(view: GoalView, event: RunEvent): void {
  if (event.type === "model.asked") {
    const data = parse(ModelAskedData, event);
    const asks = data?.task === undefined ? view.planning : attemptOf(view, event, data)?.asks;
    view.scripted ||= data?.scripted ?? false;
    asks?.push({
      key: data?.key ?? "",
      step: data?.step ?? "",
      model: data?.model ?? "",
      scripted: data?.scripted ?? false,
      requestedAt: event.at,
      prompt: data?.prompt ?? null,
      answer: null,
      summary: "",
      usage: null,
      durationMs: null,
      failure: null,
    });
    return;
  }
  if (event.type === "model.failed") {
    const data = parse(FailureData, event);
    const ask = openAsk(view, event, data);
    if (ask) ask.failure = describeError(data?.error);
    return;
  }
  const data = parse(AnsweredData, event);
  const ask = openAsk(view, event, data);
  if (!data || !ask) return;
  ask.answer = data.answer ?? null;
  ask.failure = null;
  ask.model = data.model ?? ask.model;
  if (view.usage.calls === 0) view.models = [];
  if (!view.models.includes(ask.model)) view.models.push(ask.model);
  ask.summary = data.summary ?? "";
  ask.usage = data.usage ?? null;
  ask.durationMs = data.durationMs ?? null;
  if (!data.usage) return;
  view.usage.calls += data.requests ?? 1;
  view.usage.inputTokens += data.usage.inputTokens;
  view.usage.outputTokens += data.usage.outputTokens;
  view.usage.costUsd = addCost(view.usage.costUsd, data.usage.costUsd);
}

function applyAttempt(view: GoalView, event: RunEvent): void {
  const data = parse(AttemptData, event);
  if (!data?.task) return;
  if (event.type === "attempt.started") {
    // A task that is done again counts its attempts from the first: what was finished stays as it is.
    const attempt = beginAttempt(taskOf(view, data.task), data.attempt, event.at);
    attempt.baseHash = data.baseHash ?? "";
    if (data.on.length === 0) view.baseHash ??= data.baseHash ?? null;
    attempt.on = data.on;
    return;
  }
  const attempt = attemptOf(view, event, data);
  if (!attempt) return;
  attempt.finishedAt = event.at;
  attempt.treeHash = data.treeHash ?? null;
  attempt.diff = data.diff ?? null;
  attempt.summary = data.summary ?? "";
  attempt.failure = data.failure?.reason ?? null;
  attempt.candidate = data.candidate ?? null;
}

function applyRepair(view: GoalView, event: RunEvent): void {
  const finished = event.type === "repair.finished" ? parse(RepairFinished, event) : undefined;
  const progressed = event.type === "repair.progressed" ? parse(RepairProgressed, event) : undefined;
  const id = (finished ?? progressed)?.task;
  if (id === undefined) return;
  const task = taskOf(view, id);
  task.repair = finished ?? null;
  task.searching = progressed ?? null;
}

function applyLayer(view: GoalView, event: RunEvent): void {
  const data = parse(LayerData, event);
  if (event.type === "layer.captured") {
    view.layer = data?.layer ?? view.layer;
    view.baseHash = data?.baseHash ?? view.baseHash;
    return;
  }
  const { branch = null, commit = null, reason = null } = data ?? {};
  view.deliveries.push({ type: event.type, at: event.at, branch, commit, reason });
}

/** If one cost is unknown, the sum is unknown. */
export function addCost(sum: number | null, cost: number | null): number | null {
  return sum === null || cost === null ? null : sum + cost;
}

function parse<T extends z.ZodType>(shape: T, event: RunEvent): z.infer<T> | undefined {
  return shape.safeParse(event.data).data;
}

/** The request that an answer or a failure belongs to: by its key, else the first that has no answer. */
function openAsk(
  view: GoalView,
  event: RunEvent,
  place: (AttemptKey & { key?: string }) | undefined,
): AskView | undefined {
  const asks = place?.task === undefined ? view.planning : attemptOf(view, event, place)?.asks;
  const unanswered = asks?.filter((ask) => ask.answer === null);
  return unanswered?.find(({ key }) => key === place?.key) ?? unanswered?.[0];
}

function describeError(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return "The model failed.";
}
