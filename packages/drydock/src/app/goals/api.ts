import type {
  AutorunFile,
  CheckEntry,
  ErrorInfo,
  GoalProgress,
  GoalUsage,
  Plan,
  PlanReview,
  PolicyDocument,
  RepairReport,
  ReviewComment,
  Run,
  RunEvent,
  RunStatus,
} from "@drydock/protocol";
import type { GoalOutcome } from "../../engine/index.ts";
import type { Order } from "../../queue/index.ts";

/** From a sentence to a verified change. */
export interface Goals {
  /** Plans, works, proves, and delivers what passed. Rejects for what can't be read; all else is a result. */
  run(options: GoalOptions): Promise<GoalResult>;
  /** Takes up a run that was paused or interrupted. One that has ended is only delivered, where that is still to be done. */
  resume(runId: string, options?: ResumeOptions): Promise<GoalResult>;
  /** Makes a plan without carrying it out. */
  plan(options: PlanOptions): Promise<Plan>;
  /**
   * Decides about the plan of a run that was started with `reviewPlan`, and takes the run up: it goes on with the plan, or
   * ends. DrydockError `input.invalid` where no plan waits, `plan.invalid` for an edited one that is not valid; the run waits on.
   */
  review(runId: string, review: PlanReview, options?: ResumeOptions): Promise<GoalResult>;
  /** A new run that takes over what an old one proved and does one task, with all that depend on it, live again. */
  runFrom(runId: string, task: string, options?: ResumeOptions): Promise<GoalResult>;
  /** Asks the process that holds the run to stop after the step at hand; `resume` goes on from there. */
  pause(runId: string): Promise<void>;
  /** Ends the run, in whatever process it is. */
  cancel(runId: string): Promise<void>;
  /** Does one task of a run that has not ended again, with all that depend on it. */
  retry(runId: string, task: string): Promise<void>;
}

/** @internal Goals that workers carry out. */
export interface OrderedGoals {
  order(options: GoalOptions): Promise<Order>;
  carryOut(run: Run, watch: Pick<ResumeOptions, "signal">): Promise<void>;
}

export type PlanOptions = Pick<
  GoalOptions,
  "goal" | "workspace" | "model" | "policy" | "budget" | "signal" | "onEvent" | "onProgress"
>;

/** What becomes of work that passed. */
export type ApplyMode = "auto" | "ask" | "never";

interface Watching {
  signal?: AbortSignal;
  /** Each event once it is on record. */
  onEvent?: (event: RunEvent) => void;
  /** What goes on between events; nothing of it is recorded. */
  onProgress?: (progress: GoalProgress) => void;
}

export interface GoalOptions extends Watching {
  /** A sentence; a model plans it. */
  goal?: string;
  /** A plan, which is carried out as it is. */
  plan?: unknown;
  /** Where the plan is from, for the record. Default `given`. */
  planSource?: string;
  /**
   * A goal's run that has ended, in the same workspace: this one goes on from its result. Where that was not delivered, it
   * starts from the changes that the run left, and they are judged together with its own.
   */
  follow?: string;
  /** What a person asks for of the change that the followed run made. Its words reach the prompts as they are. */
  comments?: readonly ReviewComment[];
  workspace: string;
  /**
   * `provider/name`, several with commas as fallbacks, `scripted:FILE`, or `repair` for the search without a language model.
   * Default: as configured; `repair` where nothing is.
   */
  model?: string;
  /** Whether repair searches for a change where the model's last attempt failed. Default false. */
  thenRepair?: boolean;
  /** Attempts of the model side by side, of which the best that passed is delivered. Default 1, at most 16. */
  bestOf?: number;
  /** Bounds of a search for a repair. Default: 60 seconds, 20,000 candidates, seed 1. */
  repair?: { seconds?: number; candidates?: number; seed?: number };
  /** Default `auto`. With `ask`, `confirm` is called. */
  apply?: ApplyMode;
  /** Commits the result on a new branch instead of changing files. */
  branch?: string;
  policy?: PolicyDocument;
  /** `tools` (default): read, edit and run in a loop; `writes`: one answer that holds all file writes. */
  way?: "tools" | "writes";
  budget?: { tokens?: number; usd?: number };
  /** A task that has not moved for so long is stale; 0: never. Default: as configured, else 3600. */
  staleSeconds?: number;
  /** Whether a stale task begins again by itself. Default: as configured, else false. */
  staleAutoReset?: boolean;
  /**
   * What the result must pass, whatever the plan says: command lines that must end with status 0, or checks. They are
   * judged beside those that the policy and the workspace's `.drydock/checks.yaml` require.
   */
  checks?: readonly CheckEntry[];
  /** Globs of tests and their inputs that the run may change. Default: none. */
  mayChange?: readonly string[];
  /** The smallest share of small faults that the checks must notice, 0 to 1. Default: it is not demanded. */
  minStrength?: number;
  /**
   * Whether a model makes this request, as MCP clients do: its plan and its checks are used, and nothing of them is a
   * person's word. `mayChange` and `sufficient` are refused then. Default false.
   */
  byModel?: boolean;
  /**
   * Whether the run pauses with its plan on record, until `goals.review` has decided about it. Default false. Where `review` is
   * given and says something, it does not pause.
   */
  reviewPlan?: boolean;
  /** Shown the plan before it is carried out. */
  review?: (plan: Plan) => Promise<PlanReview | undefined>;
  /**
   * Decides whether to deliver, with `apply: "ask"`. If files run by themselves once they are delivered, it is called
   * again with their list: only that approval delivers them.
   */
  confirm?: (runId: string, autorun?: readonly AutorunFile[]) => Promise<boolean>;
}

export interface ResumeOptions extends Watching {
  /** In the place of the model that the run was started with. */
  model?: string;
  apply?: ApplyMode;
  staleSeconds?: number;
  staleAutoReset?: boolean;
  budget?: { tokens?: number; usd?: number };
  review?: GoalOptions["review"];
  confirm?: GoalOptions["confirm"];
}

export interface GoalResult extends GoalOutcome {
  runId: string;
  status: RunStatus;
  error: ErrorInfo | null;
  /** What repair did, task by task; empty where it was not used. */
  repairs: RepairReport[];
  /** What all model calls took. */
  usage: GoalUsage;
  /** What the run cost, where it came to a verified change and the cost is known; else null. */
  costPerVerifiedUsd: number | null;
  /** What became of the changes. */
  delivery: "applied" | "kept" | "nothing";
  notes: string[];
}
