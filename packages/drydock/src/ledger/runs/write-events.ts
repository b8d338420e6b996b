import { DrydockError, type EventType, type RunEvent } from "@drydock/protocol";
import { canonicalJson } from "../chain/canonical-json.ts";
import { hashEvent } from "../chain/hash-entries.ts";
import { defineQuery } from "../database/define-query.ts";
import type { EventsTable, LedgerTransaction } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";

/** An event as its author gives it; the ledger adds run, sequence, time and hashes. */
export interface NewEvent {
  type: EventType;
  data: Record<string, unknown>;
}

/** An event with its secrets taken out, and the canonical text of what is left. */
export interface PreparedEvent extends NewEvent {
  text: string;
}

const insertEvent = defineQuery<EventsTable>((db, p) =>
  db.insertInto("events").values({
    run_id: p("run_id"),
    seq: p("seq"),
    type: p("type"),
    at: p("at"),
    data: p("data"),
    prev_hash: p("prev_hash"),
    hash: p("hash"),
  }),
);

export function prepareEvent(context: LedgerContext, event: NewEvent): PreparedEvent {
  const data = context.redactor.value(event.data) as Record<string, unknown>;
  return { type: event.type, data, text: canonicalJson(data) };
}

/** Writes events behind `prevHash`, the first of them as number `seq`. Returns them as stored, the last hash included. */
export async function writeEvents(
  trx: LedgerTransaction,
  runId: string,
  after: { seq: number; prevHash: string; at: string },
  events: readonly PreparedEvent[],
): Promise<RunEvent[]> {
  const written: RunEvent[] = [];
  let { seq, prevHash } = after;
  for (const event of events) {
    const row = { run_id: runId, seq, type: event.type, at: after.at, data: event.text, prev_hash: prevHash };
    const hash = hashEvent(row);
    await insertEvent(trx, { ...row, hash });
    written.push({ runId, seq, type: event.type, at: after.at, data: event.data, prevHash, hash });
    prevHash = hash;
    seq += 1;
  }
  return written;
}

export function eventFromRow(row: EventsTable): RunEvent {
  return {
    runId: row.run_id,
    seq: row.seq,
    type: row.type as EventType,
    at: row.at,
    data: parseData(row),
    prevHash: row.prev_hash,
    hash: row.hash,
  };
}

function parseData(row: EventsTable): Record<string, unknown> {
  let cause: unknown;
  try {
    const data: unknown = JSON.parse(row.data);
    if (typeof data === "object" && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
  } catch (error) {
    cause = error;
  }
  throw new DrydockError(
    "ledger.unavailable",
    `Event ${row.seq} of run ${row.run_id} can't be read: its data is not a JSON object.`,
    "The ledger was changed or damaged: run `drydock audit verify` to see where.",
    { runId: row.run_id, seq: row.seq },
    cause,
  );
}
