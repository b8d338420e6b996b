import { z } from "zod";

export const RunKind = z.enum(["exec", "session"]);
export type RunKind = z.infer<typeof RunKind>;

export const RunStatus = z.enum(["running", "succeeded", "failed", "cancelled", "lost"]);
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
  "artifact.stored",
  "step.rolled_back",
  "run.succeeded",
  "run.failed",
  "run.cancelled",
  "run.lost",
] as const;
export const EventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof EventType>;
export const TERMINAL_EVENTS: readonly EventType[] = ["run.succeeded", "run.failed", "run.cancelled", "run.lost"];

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

export const AuditReport = z.object({
  ok: z.boolean(),
  runs: z.number().int(),
  events: z.number().int(),
  first: z.object({ runId: z.string(), seq: z.number().int(), problem: z.string() }).optional(),
});
export type AuditReport = z.infer<typeof AuditReport>;
