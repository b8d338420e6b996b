import * as z from "zod";

export const RunKind = z.enum(["exec", "session", "goal", "verify", "task", "workflow", "agent", "capability"]);
export type RunKind = z.infer<typeof RunKind>;

export const RunStatus = z.enum(["running", "paused", "interrupted", "succeeded", "failed", "cancelled", "lost"]);
export type RunStatus = z.infer<typeof RunStatus>;

/** What the checks proved. A run without checks is `unverified`. */
export const Verdict = z.enum(["passed", "failed", "unverified"]);
export type Verdict = z.infer<typeof Verdict>;

export const Run = z.object({
  id: z.string(),
  kind: RunKind,
  status: RunStatus,
  verdict: Verdict,
  title: z.string(),
  sessionId: z.string().nullable(),
  workspace: z.string().nullable(),
  errorCode: z.string().nullable(),
  treeHash: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  events: z.number().int(),
  headHash: z.string(),
});
export type Run = z.infer<typeof Run>;

/** Names are `noun.past`. `run.created` is always the first; exactly one of the terminal ones is the last of its run's life. */
export const EVENT_TYPES = [
  "run.created",
  "output.recorded",
  "network.refused",
  "network.connected",
  "layer.captured",
  "layer.applied",
  "layer.discarded",
  "layer.reverted",
  "artifact.stored",
  "step.rolled_back",
  "run.paused",
  "run.interrupted",
  "run.resumed",
  "model.asked",
  "model.answered",
  "model.failed",
  "plan.proposed",
  "plan.refused",
  "plan.accepted",
  "task.added",
  "task.started",
  "task.verified",
  "task.done",
  "task.failed",
  "task.cancelled",
  "task.stale",
  "task.reset",
  "attempt.started",
  "attempt.finished",
  "tool.finished",
  "code.executed",
  "code.edited",
  "step.finished",
  "check.finished",
  "rework.requested",
  "tree.verified",
  "approval.requested",
  "approval.decided",
  "response.stored",
  "run.succeeded",
  "run.failed",
  "run.cancelled",
  "run.lost",
] as const;
export const EventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof EventType>;
export const TERMINAL_EVENTS: readonly EventType[] = ["run.succeeded", "run.failed", "run.cancelled", "run.lost"];
/** What may still be recorded about a run after its terminal event: what became of its changes and of its code. */
export const AFTER_END_EVENTS: readonly EventType[] = [
  "layer.applied",
  "layer.discarded",
  "layer.reverted",
  "code.edited",
];

export const RunEvent = z.object({
  runId: z.string(),
  seq: z.number().int().nonnegative(),
  type: EventType,
  at: z.string(),
  data: z.record(z.string(), z.unknown()),
  prevHash: z.string(),
  hash: z.string(),
});
export type RunEvent = z.infer<typeof RunEvent>;

/** One entry of the ledger's chain: enough to recognise, later or elsewhere, that the chain up to there is still the same. */
export const AuditHead = z.object({ position: z.number().int(), hash: z.string() });
export type AuditHead = z.infer<typeof AuditHead>;

export const AuditReport = z.object({
  ok: z.boolean(),
  runs: z.number().int(),
  events: z.number().int(),
  /** The first thing found wrong. `runId` is `ledger` where what is missing no longer says which run it belonged to. */
  first: z.object({ runId: z.string(), seq: z.number().int(), problem: z.string() }).optional(),
  /** The last entry of the chain. Kept outside the ledger, it exposes a later rewrite of everything. */
  head: AuditHead.optional(),
});
export type AuditReport = z.infer<typeof AuditReport>;
