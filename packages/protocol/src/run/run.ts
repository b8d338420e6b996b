import * as z from "zod";
import { EVENT_TYPES, VERDICTS } from "./event-types.ts";
import { RUN_STATUSES } from "./run-statuses.ts";

export const RunKind = z
  .enum([
    "exec",
    "session",
    "goal",
    "verify",
    "task",
    "workflow",
    "agent",
    "capability",
    "runner",
    "wrap",
    "box",
    "knowledge",
  ])
  .describe(
    "What was run. `session` is one step of a session, `capability` an action of an extension or one that an agent of the host asked for, `runner` an answer of the host's agent to an event, `wrap` a program that a person had in a terminal, `box` the sandbox that lasts for an agent's tools, `knowledge` what models did for a knowledge base outside of an agent's run.",
  );
export type RunKind = z.infer<typeof RunKind>;

export const RunStatus = z
  .enum(RUN_STATUSES)
  .describe(
    "How far the run is. `queued`: it waits for a worker; `interrupted`: the Drydock process that ran it is gone, and it can be resumed; `lost`: that process is gone, and it can't be resumed.",
  );
export type RunStatus = z.infer<typeof RunStatus>;

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

/** A run as lists show it. */
export const RunSummary = Run.extend({
  agent: z.string().nullable().describe("Name of the agent whose run it is; null if it belongs to none."),
  durationMs: z.number().int().nullable().describe("How long it took, in milliseconds; null while it is under way."),
  costUsd: z
    .number()
    .nullable()
    .describe("What its model calls cost in US dollars; null before its end, without models, or with unknown prices."),
  inputTokens: z.number().int().nullable().describe("Tokens that its models read; null as with `costUsd`."),
  outputTokens: z.number().int().nullable().describe("Tokens that its models wrote; null as with `costUsd`."),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** How many runs of a kind have a status and a verdict. */
export const RunCount = Run.pick({ kind: true, status: true, verdict: true }).extend({
  runs: z.number().int().describe("How many runs have this kind, this status and this verdict."),
});
export type RunCount = z.infer<typeof RunCount>;

export const RunCounts = z.object({
  counts: z.array(RunCount).describe("One entry for each kind, status and verdict that occurs. Sum them up as needed."),
  total: z.number().int().describe("How many runs were counted in all."),
  complete: z.boolean().describe("False: there are more than 100,000 to look through, and the newest were counted."),
});
export type RunCounts = z.infer<typeof RunCounts>;

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

export const EventPage = z.object({
  events: z.array(RunEvent).describe("One page of the run's events, in their order."),
  total: z.number().int().describe("How many events the run has now."),
  before: z
    .number()
    .int()
    .nullable()
    .describe("Pass it as `before`, with `from=last`, to get the page of earlier events; null: there are none."),
  after: z
    .number()
    .int()
    .nullable()
    .describe("Pass it as `after` to get the page of later events; null: there are none yet."),
});
export type EventPage = z.infer<typeof EventPage>;

/** One entry of the ledger's chain: enough to recognise, later or elsewhere, that the chain up to there is still the same. */
export const AuditHead = z.object({
  position: z.number().int().describe("Number of the entry in the chain of the whole ledger, from 1."),
  hash: z.string().describe("Hash of that entry, over all entries before it."),
});
export type AuditHead = z.infer<typeof AuditHead>;

export const AnchorReport = z.object({
  position: z
    .number()
    .int()
    .nullable()
    .describe("Number of the entry; null if only a hash is known that no entry has."),
  hash: z.string().describe("Hash that was kept elsewhere."),
  at: z.string().nullable().describe("When it was signed, ISO 8601 in UTC; null for a plain hash."),
  keyId: z.string().nullable().describe("Id of the key that signed it; null for a plain hash."),
  ok: z.boolean().describe("True if the chain still has it."),
  problem: z.string().nullable().describe("What is wrong, in one sentence; null if nothing is."),
});
export type AnchorReport = z.infer<typeof AnchorReport>;

export const AuditReport = z.object({
  ok: z.boolean().describe("True if nothing was changed, removed or inserted."),
  runs: z.number().int().describe("How many runs were checked."),
  events: z.number().int().describe("How many events were checked."),
  first: z
    .object({
      runId: z.string().describe("Id of the run; `ledger` where what is missing no longer says which run it was."),
      seq: z.number().int().describe("Number of the event in that run."),
      problem: z.string().describe("What is wrong, in one sentence."),
    })
    .optional()
    .describe("The first problem. Absent if there is none."),
  head: AuditHead.optional().describe(
    "The last entry of the chain. Kept outside the ledger, it exposes a later rewrite of everything.",
  ),
  pruned: z
    .object({
      runs: z.number().int().describe("How many runs were removed."),
      events: z.number().int().describe("How many events were removed."),
      before: z.string().describe("Runs from before this time were removed, ISO 8601 in UTC."),
      at: z.string().describe("When they were removed, ISO 8601 in UTC."),
    })
    .optional()
    .describe("What retention has removed in all. Absent if nothing was removed."),
  anchors: z
    .array(AnchorReport)
    .optional()
    .describe("Hashes that were kept elsewhere, each compared with the chain. Absent if the request has none."),
});
export type AuditReport = z.infer<typeof AuditReport>;
