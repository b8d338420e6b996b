import * as z from "zod";
import { EVENT_TYPES, VERDICTS } from "./event-types.ts";

export const RunKind = z
  .enum(["exec", "session", "goal", "verify", "task", "workflow", "agent", "capability", "runner"])
  .describe(
    "What was run. `session` is one step of a session, `capability` an action of an extension, `runner` an answer of the host's agent to an event.",
  );
export type RunKind = z.infer<typeof RunKind>;

export const RunStatus = z
  .enum(["running", "paused", "interrupted", "succeeded", "failed", "cancelled", "lost"])
  .describe(
    "How far the run is. `interrupted`: the Drydock process that ran it is gone, and it can be resumed; `lost`: that process is gone, and it can't be resumed.",
  );
export type RunStatus = z.infer<typeof RunStatus>;

/** Of runs that are under way, or can still go on. */
export const OPEN_STATUSES = ["running", "paused", "interrupted"] as const satisfies readonly RunStatus[];

export function hasEnded({ status }: { status: string }): boolean {
  return !(OPEN_STATUSES as readonly string[]).includes(status);
}

export const Verdict = z
  .enum(VERDICTS)
  .describe(
    "What the checks proved: only `passed` is proof. `unproven`: they pass without the change, too; `unverified`: there was nothing to judge.",
  );
export type Verdict = z.infer<typeof Verdict>;

export const Run = z.object({
  id: z.string().describe("Id of the run, `run_…`. Results call it `runId`."),
  kind: RunKind,
  status: RunStatus,
  verdict: Verdict,
  title: z.string().describe("One line about the run: the goal, the command, or the beginning of the code."),
  sessionId: z.string().nullable().describe("Id of the session that the run is a step of; null if it is none."),
  workspace: z.string().nullable().describe("Absolute path of the directory it worked on; null: an empty directory."),
  errorCode: z
    .string()
    .nullable()
    .describe("Code of the error that ended it, such as `limit.timeout`; null without one."),
  treeHash: z.string().nullable().describe("Hash of the directory after the run; null until it ended, or without one."),
  createdAt: z.string().describe("When it started, ISO 8601 in UTC."),
  endedAt: z.string().nullable().describe("When it ended, ISO 8601 in UTC; null while it is under way."),
  events: z.number().int().describe("How many events the ledger has for it."),
  headHash: z.string().describe("Hash of its last event, which covers all events before it."),
});
export type Run = z.infer<typeof Run>;

/** How many runs of a kind have a status. */
export interface RunCount extends Pick<Run, "kind" | "status"> {
  runs: number;
}

export const EventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof EventType>;
export const RunEvent = z.object({
  runId: z.string().describe("Id of the run that the event belongs to."),
  seq: z.number().int().nonnegative().describe("Number of the event in its run, counted from 0."),
  type: EventType.describe("What happened. `run.created` is the first event of every run."),
  at: z.string().describe("When it was recorded, ISO 8601 in UTC."),
  data: z.record(z.string(), z.unknown()).describe("Details, whose fields depend on `type`."),
  prevHash: z.string().describe("Hash of the event before it in the run."),
  hash: z.string().describe("SHA-256 over this event and `prevHash`."),
});
export type RunEvent = z.infer<typeof RunEvent>;

/** One entry of the ledger's chain: enough to recognise, later or elsewhere, that the chain up to there is still the same. */
export const AuditHead = z.object({ position: z.number().int(), hash: z.string() });
export type AuditHead = z.infer<typeof AuditHead>;

export const AnchorReport = z.object({
  /** Null if the request has only a hash, and no entry has that hash. */
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
  /** Heads that were kept elsewhere, each compared with the chain. Only if the request has some. */
  anchors: z.array(AnchorReport).optional(),
});
export type AuditReport = z.infer<typeof AuditReport>;
