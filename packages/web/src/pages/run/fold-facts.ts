import {
  type ArtifactRef,
  CheckResult,
  GoalUsage,
  Plan,
  type PlanTask,
  type RunEvent,
  StrengthEvidence,
  type TaskStatus,
  TERMINAL_EVENTS,
  VERDICTS,
  type Verdict,
} from "@drydock/protocol";

export interface AttemptFacts {
  number: number;
  summary: string;
  failure: string | null;
  verdict: string | null;
  reason: string;
  treeHash: string | null;
  checks: CheckResult[];
  isOver: boolean;
}

export interface TaskFacts {
  id: string;
  planned: PlanTask | null;
  status: TaskStatus;
  reason: string;
  attempts: AttemptFacts[];
}

/** What became of the changes, as the last event about them says. */
export type Delivery = "none" | "captured" | "applied" | "reverted" | "discarded";

export interface RunFacts {
  created: Readonly<Record<string, unknown>>;
  plan: Plan | null;
  /** A plan that waits for a person. */
  isProposed: boolean;
  tasks: Map<string, TaskFacts>;
  /** Of the whole result. */
  checks: CheckResult[];
  output: { stdout: string; stderr: string }[];
  artifacts: ArtifactRef[];
  delivery: Delivery;
  usage: GoalUsage | null;
  strength: StrengthEvidence | null;
  result: unknown;
  reason: string;
  isPaused: boolean;
}

const TASK_STATUS: Readonly<Partial<Record<RunEvent["type"], TaskStatus>>> = {
  ...{ "task.added": "todo", "task.started": "doing", "task.done": "done", "task.failed": "failed" },
  ...{ "task.cancelled": "cancelled", "task.stale": "stale", "task.reset": "todo" },
};
const DELIVERY: Readonly<Partial<Record<RunEvent["type"], Delivery>>> = {
  ...{ "layer.captured": "captured", "layer.applied": "applied" },
  ...{ "layer.reverted": "reverted", "layer.discarded": "discarded" },
};

/** A run as its facts tell it. What this version does not know, or finds in another shape, is passed over. */
export function foldFacts(events: readonly RunEvent[]): RunFacts {
  const facts: RunFacts = {
    ...{ created: {}, plan: null, isProposed: false, tasks: new Map(), checks: [], output: [], artifacts: [] },
    ...{ delivery: "none", usage: null, strength: null, result: undefined, reason: "", isPaused: false },
  };
  for (const event of events) apply(facts, event);
  return facts;
}

function apply(facts: RunFacts, { type, data }: RunEvent): void {
  const status = TASK_STATUS[type];
  facts.delivery = DELIVERY[type] ?? facts.delivery;
  if (status) applyTask(facts, data, status);
  else if (type === "run.created") facts.created = data;
  else if (type === "plan.proposed" || type === "plan.accepted") applyPlan(facts, data, type === "plan.proposed");
  else if (type === "attempt.started") attemptOf(facts, data);
  else if (type === "attempt.finished") applyAttempt(facts, data);
  else if (type === "check.finished") applyCheck(facts, data);
  else if (type === "task.verified") applyVerdict(facts, data);
  else if (type === "output.recorded") facts.output.push({ stdout: text(data.stdout), stderr: text(data.stderr) });
  else if (type === "artifact.stored") facts.artifacts.push(data as ArtifactRef);
  else if (type === "run.paused") facts.isPaused = true;
  else if (type === "run.resumed") facts.isPaused = false;
  else if (TERMINAL_EVENTS.includes(type)) applyEnd(facts, data);
}

type Data = RunEvent["data"];

function applyPlan(facts: RunFacts, data: Data, isProposed: boolean): void {
  facts.isProposed = isProposed;
  const { data: plan } = Plan.safeParse(data.plan);
  if (!plan) return;
  facts.plan = plan;
  for (const planned of plan.tasks) taskOf(facts, planned.id).planned = planned;
}

function applyTask(facts: RunFacts, data: Data, status: TaskStatus): void {
  const task = taskOf(facts, text(data.task));
  task.status = status;
  task.reason = text(data.reason);
}

function applyAttempt(facts: RunFacts, data: Data): void {
  const attempt = attemptOf(facts, data);
  attempt.isOver = true;
  attempt.summary = text(data.summary);
  attempt.treeHash = text(data.treeHash) || null;
  attempt.failure = text(Object(data.failure).reason) || null;
}

function applyCheck(facts: RunFacts, data: Data): void {
  const { data: result } = CheckResult.safeParse(data);
  if (!result) return;
  if (text(data.task) === "") facts.checks.push(result);
  else attemptOf(facts, data).checks.push(result);
}

function applyVerdict(facts: RunFacts, data: Data): void {
  const attempt = attemptOf(facts, data);
  attempt.verdict = text(data.verdict);
  attempt.reason = text(data.reason);
}

function applyEnd(facts: RunFacts, data: Data): void {
  facts.isPaused = false;
  facts.usage = GoalUsage.safeParse(data.usage).data ?? null;
  facts.strength = StrengthEvidence.safeParse(data.strength).data ?? null;
  facts.result = data.result;
  facts.reason = text(data.reason);
}

function taskOf(facts: RunFacts, id: string): TaskFacts {
  const known = facts.tasks.get(id);
  if (known) return known;
  const task: TaskFacts = { id, planned: null, status: "todo", reason: "", attempts: [] };
  facts.tasks.set(id, task);
  return task;
}

/** A task that is done again counts its attempts anew: the last of a number is the one that is meant. */
function attemptOf(facts: RunFacts, data: Data): AttemptFacts {
  const task = taskOf(facts, text(data.task));
  const number = typeof data.attempt === "number" ? data.attempt : task.attempts.length;
  const known = task.attempts.findLast((attempt) => attempt.number === number);
  if (known) return known;
  const attempt: AttemptFacts = {
    ...{ number, summary: "", failure: null, verdict: null, reason: "", treeHash: null, checks: [], isOver: false },
  };
  task.attempts.push(attempt);
  return attempt;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A verdict that this version knows. */
export function toVerdict(text: string | null): Verdict | null {
  return VERDICTS.find((verdict) => verdict === text) ?? null;
}
