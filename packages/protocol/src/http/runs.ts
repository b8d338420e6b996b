import * as z from "zod";
import { CheckEntry } from "../check-entry.ts";
import { ArtifactRef } from "../exec.ts";
import { Change } from "../layer.ts";
import { Plan } from "../plan.ts";
import { PolicyDocument } from "../policy.ts";
import { RECEIPT_MEDIA } from "../receipt-types.ts";
import { REPORT_MEDIA, ReportFormat } from "../report-format.ts";
import { Run, RunEvent, RunKind, RunStatus } from "../run.ts";
import { CapabilityBody } from "./capabilities.ts";
import { ExecBody } from "./executions.ts";
import { defineOperation } from "./operation.ts";
import { AgentBody, TaskBody, WorkflowBody } from "./tasks.ts";

const RunParams = z.object({ id: z.string() });
const tag = "runs";

const budget = z
  .strictObject({ tokens: z.number().int().positive().optional(), usd: z.number().positive().optional() })
  .optional();

/** What is wanted: a goal in words, or a plan. */
export const GoalBody = z.strictObject({
  kind: z.literal("goal"),
  goal: z.string().min(1).optional(),
  plan: Plan.optional(),
  workspace: z.string(),
  model: z.string().min(1).optional(),
  /** What becomes of work that passed: `auto` (default) delivers it, `never` keeps it for `apply`. */
  apply: z.enum(["auto", "never"]).optional(),
  branch: z.string().min(1).optional(),
  policy: PolicyDocument.optional(),
  way: z.enum(["tools", "writes"]).optional(),
  budget,
  /** What the result must pass, whatever the plan says: command lines, or checks. */
  checks: z.array(CheckEntry).max(1000).optional(),
  /** Globs of tests and their inputs that the run may change. */
  mayChange: z.array(z.string().min(1)).max(1000).optional(),
  /** The smallest share of small faults that the checks must notice. */
  minStrength: z.number().min(0).max(1).optional(),
});

export const RunBody = z.discriminatedUnion("kind", [
  GoalBody,
  ExecBody.extend({ kind: z.literal("exec") }),
  TaskBody.extend({ kind: z.literal("task") }),
  WorkflowBody.extend({ kind: z.literal("workflow") }),
  AgentBody.extend({ kind: z.literal("agent"), name: z.string() }),
  CapabilityBody.extend({ kind: z.literal("capability") }),
]);

export const ResumeBody = z.strictObject({
  model: z.string().min(1).optional(),
  apply: z.enum(["auto", "never"]).optional(),
  budget,
});

const Told = z.object({
  runId: z.string(),
  workspace: z.string(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  changes: z.array(Change),
  merged: z.array(z.string()),
  notes: z.array(z.string()),
});

const Asked = z.object({ runId: z.string(), asked: z.enum(["cancel", "pause"]) });

export const RUNS = {
  createRun: defineOperation({
    method: "post",
    path: "/runs",
    tag,
    summary:
      "Start a run in the background: a goal, an execution, a task, a workflow, an agent's call or a slash command",
    body: RunBody,
    status: 202,
    response: Run,
    idempotent: true,
  }),
  listRuns: defineOperation({
    method: "get",
    path: "/runs",
    tag,
    summary: "Runs, the newest first; `cursor` of one page asks for the next",
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      cursor: z.string().optional(),
      status: RunStatus.optional(),
      kind: RunKind.optional(),
      workspace: z.string().optional(),
    }),
    response: z.object({ runs: z.array(Run), cursor: z.string().nullable() }),
  }),
  getRun: defineOperation({
    method: "get",
    path: "/runs/{id}",
    tag,
    summary: "One run",
    params: RunParams,
    response: Run,
  }),
  listEvents: defineOperation({
    method: "get",
    path: "/runs/{id}/events",
    tag,
    summary: "A run's events: a page, or as a stream those on record and then those to come (Last-Event-ID)",
    params: RunParams,
    query: z.strictObject({ after: z.coerce.number().int().min(-1).optional() }),
    response: z.object({ events: z.array(RunEvent) }),
    streams: "events",
  }),
  cancelRun: defineOperation({
    method: "post",
    path: "/runs/{id}/cancel",
    tag,
    summary: "End a run that is under way",
    params: RunParams,
    status: 202,
    response: Asked,
  }),
  pauseRun: defineOperation({
    method: "post",
    path: "/runs/{id}/pause",
    tag,
    summary: "Stop a goal after the step at hand",
    params: RunParams,
    status: 202,
    response: Asked,
  }),
  resumeRun: defineOperation({
    method: "post",
    path: "/runs/{id}/resume",
    tag,
    summary: "Go on with a goal that was paused or interrupted",
    params: RunParams,
    body: ResumeBody,
    status: 202,
    response: Run,
  }),
  diffRun: defineOperation({
    method: "get",
    path: "/runs/{id}/diff",
    tag,
    summary: "What the run changed, as a unified diff",
    params: RunParams,
    media: "text/x-diff; charset=utf-8",
  }),
  reportRun: defineOperation({
    method: "get",
    path: "/runs/{id}/report",
    tag,
    summary: "One self-contained HTML page about the run, or its checks as JUnit XML or SARIF",
    params: RunParams,
    query: z.strictObject({ format: ReportFormat.optional() }),
    media: REPORT_MEDIA.html,
    otherMedia: [REPORT_MEDIA.junit, REPORT_MEDIA.sarif],
  }),
  receiptRun: defineOperation({
    method: "get",
    path: "/runs/{id}/receipt",
    tag,
    summary: "What the run's checks proved, signed: in-toto statements in DSSE envelopes, one a line",
    params: RunParams,
    media: RECEIPT_MEDIA,
  }),
  applyRun: defineOperation({
    method: "post",
    path: "/runs/{id}/apply",
    tag,
    summary: "Put what the run changed into its workspace, wholly or not at all, or on a new branch",
    params: RunParams,
    body: z.strictObject({
      branch: z.string().min(1).optional(),
      /** A person has agreed to the files that programs run by themselves. */
      allowAutorun: z.boolean().optional(),
      /** A person has read the changes of an unproven run, and wants them all the same. */
      allowUnproven: z.boolean().optional(),
    }),
    response: Told.extend({ outcome: z.enum(["applied", "already", "nothing"]) }),
    idempotent: true,
  }),
  revertRun: defineOperation({
    method: "post",
    path: "/runs/{id}/revert",
    tag,
    summary: "Undo an apply, wholly or not at all",
    params: RunParams,
    response: Told.extend({ outcome: z.literal("reverted") }),
    idempotent: true,
  }),
  discardRun: defineOperation({
    method: "post",
    path: "/runs/{id}/discard",
    tag,
    summary: "Say that what the run changed is not wanted",
    params: RunParams,
    response: z.object({ runId: z.string(), outcome: z.enum(["discarded", "already"]) }),
    idempotent: true,
  }),
  listArtifacts: defineOperation({
    method: "get",
    path: "/runs/{id}/artifacts",
    tag,
    summary: "What the run left behind",
    params: RunParams,
    response: z.object({ artifacts: z.array(ArtifactRef) }),
  }),
  getArtifact: defineOperation({
    method: "get",
    path: "/artifacts/{id}",
    tag,
    summary: "An artifact's bytes; Range asks for a part",
    params: z.object({ id: z.string() }),
    media: "application/octet-stream",
  }),
} as const;
