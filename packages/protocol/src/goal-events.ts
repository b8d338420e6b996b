import * as z from "zod";
import type { Check } from "./check.ts";
import { ErrorInfo } from "./errors/errors.ts";
import { Change } from "./layer.ts";
import { ModelStep, ModelUsage } from "./model.ts";
import { Plan, ReworkRequest } from "./plan.ts";
import type { RepairProgressed } from "./repair.ts";
import { VERDICTS } from "./run/event-types.ts";

/** A hash under which the content store holds the text in full. */
const paper = z.string();
const keyed = { key: z.string() };
const ofTask = { ...keyed, task: z.string() };
const ofAttempt = { ...ofTask, attempt: z.number().int() };

export const ModelAsked = z.object({
  ...keyed,
  step: ModelStep,
  task: z.string().nullable(),
  model: z.string(),
  scripted: z.boolean(),
  /** An artifact: the request as it was sent, without secrets. */
  prompt: z.string(),
  templates: z.record(z.string(), z.string()),
});
export type ModelAsked = z.infer<typeof ModelAsked>;

export const ModelAnswered = z.object({
  ...keyed,
  step: ModelStep,
  task: z.string().nullable(),
  model: z.string(),
  answer: paper,
  summary: z.string(),
  usage: ModelUsage,
  /** As in `ModelAnswer`. */
  requests: z.number().int().positive().optional(),
  durationMs: z.number(),
  /** Which answers of a script it took: the last of them is this one, those before it could not be used. */
  scripted: z.array(z.number().int()),
});
export type ModelAnswered = z.infer<typeof ModelAnswered>;

export const ModelFailed = z.object({ ...keyed, step: ModelStep, task: z.string().nullable(), error: ErrorInfo });
export type ModelFailed = z.infer<typeof ModelFailed>;

/** A run that goes on from the result of another one: what it starts from, on record before anything is done. */
export const RunFollowed = z.object({
  ...keyed,
  /** The run that it follows. */
  run: z.string(),
  /** That run's result, where it was not delivered; null: the workspace as it is. */
  layer: paper.nullable(),
  /** Of the workspace without that result: what the whole change is compared with. */
  baseHash: z.string(),
  /** Of the tree that the first tasks start from. */
  treeHash: z.string(),
  /** Text about the run for prompts: redacted, with a maximum size. */
  account: paper,
  /** Changes that its search has on record, which this run's search takes up; null: none. */
  repairs: paper.nullable().default(null),
});
export type RunFollowed = z.infer<typeof RunFollowed>;

/** Why a plan was sent back. */
export const PlanProblem = z.object({ where: z.string(), problem: z.string() });
export type PlanProblem = z.infer<typeof PlanProblem>;

export const PlanRefused = z.object({ ...keyed, problems: z.array(PlanProblem) });
export type PlanRefused = z.infer<typeof PlanRefused>;

/** A plan that a person is to see before it is carried out. The run is paused until then. */
export const PlanProposed = z.object({ ...keyed, plan: Plan, source: z.string() });
export type PlanProposed = z.infer<typeof PlanProposed>;

export const PlanAccepted = z.object({
  ...keyed,
  plan: Plan,
  /** Where it is from: a file, the planner, the backlog. */
  source: z.string(),
  /** Whether a person looked at it first, and changed it. */
  review: z.enum(["none", "approved", "edited"]),
});
export type PlanAccepted = z.infer<typeof PlanAccepted>;

export const AttemptStarted = z.object({
  ...ofAttempt,
  baseHash: z.string(),
  /** The layer it starts from, where that is not just what the one task of `on` left. */
  base: paper.nullable(),
  /** Tasks whose results it stands on. */
  on: z.array(z.string()),
});
export type AttemptStarted = z.infer<typeof AttemptStarted>;

export const ToolFinished = z.object({
  ...ofAttempt,
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  failed: z.boolean(),
  /** The prompt. */
  result: paper,
  summary: z.string(),
  /** The tree's layer after it; null where it changed nothing. */
  layer: paper.nullable(),
  durationMs: z.number(),
});
export type ToolFinished = z.infer<typeof ToolFinished>;

export const AttemptFinished = z.object({
  ...ofAttempt,
  /** Null where the attempt failed before there was a tree to judge. */
  layer: paper.nullable(),
  treeHash: z.string(),
  diff: paper.nullable(),
  changes: z.array(Change),
  summary: z.string(),
  failure: z.object({ code: z.string(), reason: z.string() }).nullable(),
  /** Where repair made it: which of the changes that it found, from 1; 0: one that does not pass all tests. */
  candidate: z.number().int().optional(),
});
export type AttemptFinished = z.infer<typeof AttemptFinished>;

export const TaskVerified = z.object({
  ...ofAttempt,
  verdict: z.enum(VERDICTS),
  treeHash: z.string(),
  verification: paper,
  /** What was proved, or why nothing was. */
  reason: z.string().optional(),
});
export type TaskVerified = z.infer<typeof TaskVerified>;

export const ReworkRequested = z.object({ ...ofAttempt, request: ReworkRequest });
export type ReworkRequested = z.infer<typeof ReworkRequested>;

export const TaskEnded = z.object({
  ...ofTask,
  attempts: z.number().int(),
  /** The attempt whose result it leaves, where that is not the last one. */
  judged: z.number().int().optional(),
  reason: z.string(),
  /** Why it ended before its attempts were used up, or how: `passed`, `attempts`, `same_diff`, `dependency` … */
  code: z.string(),
  /** What it leaves; null unless it is done. */
  layer: paper.nullable(),
  treeHash: z.string().nullable(),
});
export type TaskEnded = z.infer<typeof TaskEnded>;

export const TreeVerified = z.object({
  ...keyed,
  verdict: z.enum(VERDICTS),
  treeHash: z.string(),
  verification: paper,
  reason: z.string(),
});
export type TreeVerified = z.infer<typeof TreeVerified>;

/** What all model calls of a run took. */
export const GoalUsage = z.object({
  calls: z.number().int().describe("Requests to models."),
  inputTokens: z.number().int().describe("Tokens that were sent to models."),
  outputTokens: z.number().int().describe("Tokens that models wrote."),
  costUsd: z.number().nullable().describe("Cost in US dollars; null where a model's price is unknown."),
});
export type GoalUsage = z.infer<typeof GoalUsage>;

/** What goes on between two events of a goal; nothing of it is recorded, and nothing depends on it. */
export type GoalProgress =
  | { kind: "text"; task: string | null; text: string }
  /** A sentence from Drydock: which model is used and why, or why a request is repeated. */
  | { kind: "notice"; task: string | null; text: string }
  | { kind: "check"; task: string; type: string; verdict: string; reason: string }
  /** A check begins to run: on what the run started from, on the result, or with something in it made wrong. */
  | { kind: "phase"; task: string | null; check: Check; phase: CheckPhase }
  /** Progress of a search for a repair; sent many times per second. */
  | ({ kind: "repair" } & Omit<RepairProgressed, "key">);

export type CheckPhase = "untouched" | "result" | "control";

/** What a person says to a plan before it is carried out. */
export type PlanReview =
  | { kind: "approved" }
  | { kind: "edited"; plan: unknown }
  | { kind: "rejected"; reason: string };

/** A run's plan, and whether it is being carried out. */
export const PlanView = z.object({
  plan: Plan.describe("The plan: its goal and its tasks with their checks."),
  state: z
    .enum(["proposed", "accepted"])
    .describe("`proposed`: it waits for a review. `accepted`: the run carries it out, or has done so."),
  source: z.string().describe("Who made it: `planner`, `repair`, `backlog`, or where it was given."),
  review: PlanAccepted.shape.review.describe(
    "Whether somebody looked at it before it was carried out, and changed it.",
  ),
});
export type PlanView = z.infer<typeof PlanView>;
