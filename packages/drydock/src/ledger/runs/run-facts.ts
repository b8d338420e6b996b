import { defineQuery } from "../database/define-query.ts";
import type { LedgerDatabase, LedgerTransaction, RunFactsTable } from "../database/schema.ts";

type Data = Record<string, unknown>;
type Facts = Omit<RunFactsTable, "run_id">;
type Used = Omit<Facts, "agent">;

const UNKNOWN: Used = { input_tokens: null, output_tokens: null, micro_usd: null };
/** Kinds of runs whose first event names an agent. */
const OF_AGENTS = ["agent", "runner", "box", "capability"];
/** Kinds of runs that ask models. */
const OF_MODELS = ["goal", "task", "workflow", "agent", "runner", "knowledge"];

/** The agent that a run belongs to, as `run.created` names it. */
function foldAgent(created: Data): string | null {
  if (!OF_AGENTS.includes(String(created.kind))) return null;
  const { agent } = asRecord(created.request);
  if (created.kind === "runner") return text(asRecord(agent).name);
  if (created.kind !== "capability") return text(agent);
  const { extension, user } = asRecord(created.capability);
  return extension === "host" ? text(user) : null;
}

/** What models used, as the terminal event says: what the host has measured before what a runner says of itself. A replay asks no model: what it repeats was paid for before. */
function foldUsed(created: Data, terminal: Data): Used {
  const isReplay = created.replayOf !== undefined || asRecord(created.request).replayOf !== undefined;
  if (isReplay || !OF_MODELS.includes(String(created.kind))) return UNKNOWN;
  const usage = asRecord(terminal.spent ?? terminal.usage);
  const cost = number(usage.costUsd);
  return {
    input_tokens: number(usage.inputTokens ?? usage.input_tokens),
    output_tokens: number(usage.outputTokens ?? usage.output_tokens),
    micro_usd: cost === null ? null : Math.round(cost * 1e6),
  };
}

/** The row that a run's first and terminal event make; null where they say nothing of it. */
export function foldFacts(created: Data, terminal: Data | undefined): Facts | null {
  const facts = { agent: foldAgent(created), ...(terminal ? foldUsed(created, terminal) : UNKNOWN) };
  return Object.values(facts).some((value) => value !== null) ? facts : null;
}

const insertFacts = defineQuery<RunFactsTable>((db, p) =>
  db.insertInto("run_facts").values({
    run_id: p("run_id"),
    agent: p("agent"),
    input_tokens: p("input_tokens"),
    output_tokens: p("output_tokens"),
    micro_usd: p("micro_usd"),
  }),
);
const removeFacts = defineQuery<{ run_id: string }>((db, p) =>
  db.deleteFrom("run_facts").where("run_id", "=", p("run_id")),
);
const selectFacts = defineQuery<{ run_id: string }, RunFactsTable>((db, p) =>
  db.selectFrom("run_facts").selectAll().where("run_id", "=", p("run_id")),
);
const selectCreated = defineQuery<{ run_id: string }, { data: string }>((db, p) =>
  db.selectFrom("events").select("data").where("run_id", "=", p("run_id")).where("seq", "=", 0),
);

export async function addFacts(trx: LedgerTransaction, runId: string, created: Data): Promise<void> {
  if (!OF_AGENTS.includes(String(created.kind))) return;
  const facts = foldFacts(created, undefined);
  if (facts) await insertFacts(trx, { run_id: runId, ...facts });
}

export async function endFacts(
  trx: LedgerTransaction,
  run: { id: string; kind: string },
  terminal: Data,
): Promise<void> {
  if (!OF_MODELS.includes(run.kind)) return;
  const [created] = await selectCreated(trx, { run_id: run.id });
  const facts = foldFacts(asRecord(JSON.parse(created?.data ?? "{}")), terminal);
  if (!facts) return;
  await removeFacts(trx, { run_id: run.id });
  await insertFacts(trx, { run_id: run.id, ...facts });
}

export async function findFacts(db: LedgerDatabase, runId: string): Promise<RunFactsTable | undefined> {
  const [row] = await selectFacts(db, { run_id: runId });
  return row;
}

function asRecord(value: unknown): Data {
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
