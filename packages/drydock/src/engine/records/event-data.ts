import {
  CheckResult,
  ModelUsage,
  Plan,
  PlanTask,
  ReviewComment,
  ReworkRequest,
  StrengthEvidence,
} from "@drydock/protocol";
import * as z from "zod";

/**
 * What a view of a run reads from each event. Ledgers outlive versions: a field that is missing or of another shape is
 * taken as absent, and never makes a run unreadable.
 */
const text = z.string().optional().catch(undefined);
const count = z.number().int().nonnegative().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const texts = z.array(z.string()).catch([]);

export const CreatedData = z.looseObject({
  title: text,
  workspace: text,
  request: z
    .looseObject({
      goal: text,
      planSource: text,
      checksFile: text,
      worker: text,
      follow: z
        .looseObject({ run: text, comments: z.array(ReviewComment).optional().catch(undefined) })
        .optional()
        .catch(undefined),
      model: z
        .union([z.string(), z.array(z.string())])
        .nullish()
        .catch(null),
    })
    .optional()
    .catch(undefined),
});
export const FollowedData = z.looseObject({ run: text, baseHash: text, account: text });
export const PlanData = z.looseObject({ plan: Plan.optional().catch(undefined), source: text, review: text });
export const RefusedData = z.looseObject({
  problems: z.array(z.looseObject({ where: text, problem: text })).catch([]),
});
export const TaskData = z.looseObject({
  task: text,
  reason: text,
  judged: count,
  added: PlanTask.optional().catch(undefined),
});
export const AttemptData = z.looseObject({
  task: text,
  attempt: count,
  baseHash: text,
  on: texts,
  layer: text,
  treeHash: text,
  diff: text,
  summary: text,
  candidate: count,
  failure: z.looseObject({ code: text, reason: text }).nullish().catch(undefined),
});
export const ModelAskedData = z.looseObject({
  key: text,
  step: text,
  task: text,
  attempt: count,
  model: text,
  scripted: flag,
  prompt: text,
});
export const AnsweredData = z.looseObject({
  key: text,
  step: text,
  task: text,
  attempt: count,
  answer: text,
  model: text,
  usage: ModelUsage.optional().catch(undefined),
  requests: count,
  summary: text,
  durationMs: number,
});
export const FailureData = z.looseObject({ key: text, task: text, attempt: count, error: z.unknown() });
export const ToolData = z.looseObject({
  task: text,
  attempt: count,
  name: text,
  arguments: z.unknown(),
  failed: flag,
  summary: text,
});
export const CheckData = z.looseObject({ task: text, attempt: count, round: count, ...CheckResult.shape });
export const VerifiedData = z.looseObject({
  task: text,
  attempt: count,
  verdict: text,
  treeHash: text,
  verification: text,
  reason: text,
});
export const ReworkData = z.looseObject({
  task: text,
  attempt: count,
  request: ReworkRequest.optional().catch(undefined),
});
export const LayerData = z.looseObject({ layer: text, baseHash: text, branch: text, commit: text, reason: text });
const TotalUsage = z.looseObject({
  calls: count,
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().nullable().optional().catch(undefined),
});
export const EndData = z.looseObject({
  verdict: text,
  treeHash: text,
  reason: text,
  error: z.looseObject({ code: text, message: text, hint: text }).nullish().catch(undefined),
  usage: TotalUsage.optional().catch(undefined),
  strength: StrengthEvidence.optional().catch(undefined),
});
