import * as z from "zod";
import { Check } from "./check.ts";

export const TaskId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "letters, digits, '.', '_' and '-' only");

export const PlanTask = z.strictObject({
  id: TaskId.describe(
    "Name of the task in this plan, such as `fix-add`: letters, digits, `.`, `_` and `-`, at most 64.",
  ),
  title: z.string().max(1000).default("").describe("One line for people about what the task does."),
  instructions: z.string().max(200_000).default("").describe("The instructions for the model."),
  dependsOn: z.array(TaskId).max(10_000).default([]).describe("Ids of tasks that must be done first."),
  scope: z
    .array(z.string().min(1))
    .min(1)
    .max(1000)
    .default(["**"])
    .describe("Globs of files that the task may change, relative to the workspace. It can only narrow the policy."),
  checks: z
    .array(Check)
    .min(1, "a task needs at least one check")
    .max(1000)
    .describe("What must hold of the result. At least one."),
  attempts: z.number().int().min(1).max(20).default(3).describe("How often the task may be tried, 1 to 20."),
});
export type PlanTask = z.infer<typeof PlanTask>;

export const Plan = z.strictObject({
  goal: z.string().min(1).describe("What the whole plan is for, in one sentence."),
  tasks: z.array(PlanTask).min(1).max(10_000).describe("The tasks, in any order: `dependsOn` decides."),
});
export type Plan = z.infer<typeof Plan>;

/** One file that an answer writes or deletes. Paths are relative to the workspace. */
export const FileWrite = z
  .strictObject({ path: z.string().min(1), content: z.string().optional(), delete: z.boolean().optional() })
  .refine((write) => (write.content !== undefined) !== (write.delete === true), {
    message: "give either `content` or `delete: true`",
  });
export type FileWrite = z.infer<typeof FileWrite>;

/** An answer that holds all of its changes. */
export const Writes = z.strictObject({ summary: z.string().optional(), writes: z.array(FileWrite) });
export type Writes = z.infer<typeof Writes>;

export const TaskStatus = z.enum(["todo", "doing", "done", "failed", "cancelled", "stale"]);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** A task as lists show it. */
export const ListedTask = z.object({
  id: TaskId.describe("Name of the task in its workspace or its plan."),
  title: PlanTask.shape.title.unwrap().describe("One line for people about what the task does."),
  status: TaskStatus.describe("`stale`: it is under way, and has not moved for longer than its run allows."),
  workspace: z.string().describe("The directory that the task is for."),
  runId: z.string().nullable().describe("Id of the run that has it, or had it last; null: none yet."),
  source: z.enum(["backlog", "plan"]).describe("Whether it was added by itself, or is part of a run's plan."),
  reason: z.string().describe("Why it has its status, in one sentence; empty if there is nothing to say."),
  changedAt: z.string().describe("When its status changed last, ISO 8601 in UTC."),
});
export type ListedTask = z.infer<typeof ListedTask>;

/** `rework_request.json`: the feedback for the next attempt. */
export const ReworkRequest = z.object({
  task: z.string(),
  attempt: z.number().int(),
  attemptsLeft: z.number().int(),
  failed: z.array(
    z.object({
      type: z.string(),
      name: z.string().optional(),
      reason: z.string(),
      code: z.string(),
      evidence: z.record(z.string(), z.unknown()),
    }),
  ),
  /** The diff of what was tried, shortened. */
  tried: z.string(),
});
export type ReworkRequest = z.infer<typeof ReworkRequest>;
