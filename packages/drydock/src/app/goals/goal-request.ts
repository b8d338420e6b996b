import type { Plan, RequiredCheck, ReviewComment } from "@drydock/protocol";
import type { RepairSettings } from "../../engine/index.ts";
import type { ApplyMode } from "./api.ts";

/** Frozen into the run when it starts, so that taking it up again needs nothing but its id. */
export interface GoalRequest {
  goal: string;
  /** Where the plan is from, if the request has one. */
  planSource: string | null;
  plan: Plan | null;
  /** In the order of use. */
  model: string[] | null;
  /** Who works: a language model, or the search for a repair. */
  worker: "model" | "repair";
  /** Whether a search for a repair follows where the model's last attempt failed. */
  thenRepair: boolean;
  /** Attempts of the model side by side. */
  bestOf: number;
  repair: RepairSettings;
  way: "tools" | "writes";
  apply: ApplyMode;
  branch: string | null;
  budget: { tokens?: number; usd?: number };
  staleSeconds: number;
  staleAutoReset: boolean;
  /** What people require of the result: the owner, the workspace and the user. */
  checks: readonly RequiredCheck[];
  /** Globs of tests and their inputs that the user lets the run change. */
  mayChange: readonly string[];
  minStrength: number | null;
  /** Whether a model made this request: then no person has approved the plan. */
  byModel: boolean;
  /** Whether the run pauses with its plan until a person has decided about it. */
  reviewPlan?: true;
  /** The run whose results it takes over, up to a task. */
  from?: { run: string; task: string; sameModel: boolean };
  /** The run from whose result it goes on, and what a person asks for of that. */
  follow?: { run: string; comments?: readonly ReviewComment[] };
  replayOf?: string;
}
