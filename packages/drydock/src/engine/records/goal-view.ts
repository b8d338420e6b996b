import type {
  CheckResult,
  GoalUsage,
  ModelUsage,
  Plan,
  PlanTask,
  RepairFinished,
  RepairProgressed,
  ReviewComment,
  ReworkRequest,
  StrengthEvidence,
  TaskStatus,
} from "@drydock/protocol";

/** One request to a model, and what came of it. */
export interface AskView {
  key: string;
  step: string;
  model: string;
  scripted: boolean;
  requestedAt: string;
  /** The artifact that holds the prompt. */
  prompt: string | null;
  /** The blob that holds the answer; null while there is none. */
  answer: string | null;
  summary: string;
  usage: ModelUsage | null;
  durationMs: number | null;
  failure: string | null;
}

export interface ToolView {
  name: string;
  arguments: unknown;
  failed: boolean;
  summary: string;
}

export interface AttemptView {
  number: number;
  /** 2 and more where the task was done again, and this number with it. */
  round: number;
  startedAt: string;
  finishedAt: string | null;
  verifiedAt: string | null;
  baseHash: string;
  on: string[];
  treeHash: string | null;
  /** The blob that holds the unified diff. */
  diff: string | null;
  /** What the model says it did: a claim, not a finding. */
  summary: string;
  /** Why there was nothing to judge; null where there was. */
  failure: string | null;
  /** Where repair made it: which of the changes that it found; else null. */
  candidate: number | null;
  asks: AskView[];
  tools: ToolView[];
  checks: CheckResult[];
  verdict: string | null;
  /** Why that verdict, where it is on record. */
  reason: string;
  verification: string | null;
  rework: ReworkRequest | null;
}

export interface TaskView {
  id: string;
  /** Null for a task that events speak of and no plan names. */
  planned: PlanTask | null;
  status: TaskStatus;
  startedAt: string | null;
  endedAt: string | null;
  reason: string;
  /** The attempt whose result it leaves, where that is not the last. */
  judged: number | null;
  attempts: AttemptView[];
  /** How its search for a repair gets on, and what came of it; null: there is none, or none yet. */
  searching: RepairProgressed | null;
  repair: RepairFinished | null;
}

/** What became of the changes, in order: applied, discarded, reverted. */
export interface DeliveryView {
  type: string;
  at: string;
  branch: string | null;
  commit: string | null;
  reason: string | null;
}

/** What the events of one run say, folded. */
export interface GoalView {
  goal: string;
  planSource: string;
  /** The run that it follows; null: none. */
  follows: string | null;
  /** What a person asks for of the run that it follows. */
  comments: readonly ReviewComment[];
  /** The blob with the prompt text about that run; null until it is recorded. */
  account: string | null;
  /** The models that were used; before that, the models that will be used. */
  models: string[];
  scripted: boolean;
  /** Who works: a model, or the search for a repair. */
  worker: "model" | "repair";
  workspace: string | null;
  /** Where the checks of a directory were read from. */
  checksFile: string | null;
  baseHash: string | null;
  plan: Plan | null;
  /** Whether a person looked at the plan first: `none`, `approved`, `edited`. */
  review: string;
  planning: AskView[];
  /** Plans that were sent back, each with what was wrong with it. */
  refused: { where: string; problem: string }[][];
  tasks: Map<string, TaskView>;
  /** Checks that belong to no task: those of a directory, as they were made last. */
  checks: CheckResult[];
  /** How often all checks of the directory were made before these. */
  checksRound: number;
  treeVerdict: string | null;
  treeVerification: string | null;
  treeReason: string;
  /** The blob that holds the run's own layer. */
  layer: string | null;
  end: {
    at: string;
    type: string;
    verdict: string;
    treeHash: string | null;
    reason: string;
    /** Of all checks of a directory together, where it was measured. */
    strength: StrengthEvidence | null;
    error: { code: string; message: string; hint: string } | null;
  } | null;
  usage: GoalUsage;
  deliveries: DeliveryView[];
  lastAt: string;
}

export function createGoalView(): GoalView {
  return {
    goal: "",
    planSource: "",
    follows: null,
    comments: [],
    account: null,
    models: [],
    scripted: false,
    worker: "model",
    workspace: null,
    checksFile: null,
    baseHash: null,
    plan: null,
    review: "",
    planning: [],
    refused: [],
    tasks: new Map(),
    checks: [],
    checksRound: 0,
    treeVerdict: null,
    treeVerification: null,
    treeReason: "",
    layer: null,
    end: null,
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
    deliveries: [],
    lastAt: "",
  };
}
