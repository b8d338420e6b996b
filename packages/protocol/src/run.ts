import * as z from "zod";
import { EVENT_TYPES, VERDICTS } from "./event-types.ts";

export const RunKind = z.enum(["exec", "session", "goal", "verify", "task", "workflow", "agent", "capability"]);
export type RunKind = z.infer<typeof RunKind>;

export const RunStatus = z.enum(["running", "paused", "interrupted", "succeeded", "failed", "cancelled", "lost"]);
export type RunStatus = z.infer<typeof RunStatus>;

/** What the checks proved. A run without checks is `unverified`. */
export const Verdict = z.enum(VERDICTS);
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

export const EventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof EventType>;
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

export const AnchorReport = z.object({
  /** Null where only a hash was given, and no entry has it. */
  position: z.number().int().nullable(),
  hash: z.string(),
  /** When it was signed, and by which key; null for a plain hash. */
  at: z.string().nullable(),
  keyId: z.string().nullable(),
  ok: z.boolean(),
  problem: z.string().nullable(),
});
export type AnchorReport = z.infer<typeof AnchorReport>;

export const AuditReport = z.object({
  ok: z.boolean(),
  runs: z.number().int(),
  events: z.number().int(),
  /** The first thing found wrong. `runId` is `ledger` where what is missing no longer says which run it belonged to. */
  first: z.object({ runId: z.string(), seq: z.number().int(), problem: z.string() }).optional(),
  /** The last entry of the chain. Kept outside the ledger, it exposes a later rewrite of everything. */
  head: AuditHead.optional(),
  /** What retention has removed in all, by the last checkpoint. Only where something was removed. */
  pruned: z.object({ runs: z.number().int(), events: z.number().int(), before: z.string(), at: z.string() }).optional(),
  /** Heads that were kept elsewhere, each compared with the chain. Only where some were given. */
  anchors: z.array(AnchorReport).optional(),
});
export type AuditReport = z.infer<typeof AuditReport>;
