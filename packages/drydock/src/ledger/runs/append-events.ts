import { AFTER_END_EVENTS, DrydockError, type EventType, hasEnded, type RunEvent } from "@drydock/protocol";
import { appendHead } from "../chain/append-head.ts";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerTransaction, RunsTable } from "../database/schema.ts";
import { type LedgerContext, writeRun } from "../ledger-context.ts";
import { requireRun } from "./find-run.ts";
import { isFinalEvent } from "./fold-run.ts";
import { claimLost, requireHolder, statusAfter, writingFence } from "./run-state.ts";
import { eventFromRow, type NewEvent, type PreparedEvent, prepareEvent, writeEvents } from "./write-events.ts";

type HeadRow = Pick<RunsTable, "id" | "events" | "head_hash" | "fence">;
const moveHead = defineQuery<HeadRow, { id: string }>((db, p) =>
  db
    .updateTable("runs")
    .set({ events: p("events"), head_hash: p("head_hash") })
    .where("id", "=", p("id"))
    .where("fence", "=", p("fence"))
    .returning("id"),
);

/**
 * Adds events to a run, all or none. With `fromSeq` it may be repeated: events that are there already with the same type
 * and data are left as they are, others are refused. A run that has ended takes only what `AFTER_END_EVENTS` names,
 * and its new head goes into the ledger's chain.
 */
export async function appendEvents(
  context: LedgerContext,
  runId: string,
  events: readonly NewEvent[],
  options: { fromSeq?: number } = {},
): Promise<RunEvent[]> {
  const prepared = events.map((event) => prepareEvent(context, event));
  const at = context.now().toISOString();
  return writeRun(context, async (trx) => {
    const run = await requireRun(trx, runId);
    const repeated = await findRepeated(trx, run, prepared, options.fromSeq ?? run.events);
    const fresh = prepared.slice(repeated.length);
    if (fresh.length === 0) return repeated;
    const claim = context.claims.get(runId);
    requireHolder(run, context.owner, claim);
    return [...repeated, ...(await writeBehind(trx, run, fresh, at, claim))];
  });
}

/** The same inside an open transaction, without the check of the owner; returns the run's new row. */
export async function appendInTransaction(
  trx: LedgerTransaction,
  run: RunsTable,
  events: readonly PreparedEvent[],
  at: string,
): Promise<RunsTable> {
  const written = await writeBehind(trx, run, events, at);
  return { ...run, events: run.events + written.length, head_hash: written.at(-1)?.hash ?? run.head_hash };
}

async function writeBehind(
  trx: LedgerTransaction,
  run: RunsTable,
  events: readonly PreparedEvent[],
  at: string,
  fence = run.fence,
): Promise<RunEvent[]> {
  for (const event of events) refuseMisplaced(run, event.type);
  const written = await writeEvents(trx, run.id, { seq: run.events, prevHash: run.head_hash, at }, events);
  const headHash = written.at(-1)?.hash ?? run.head_hash;
  const count = run.events + written.length;
  const moved = await moveHead(trx, {
    id: run.id,
    events: count,
    head_hash: headHash,
    fence: writingFence(run, fence),
  });
  if (moved.length === 0) throw claimLost(run.id);
  if (hasEnded(run)) await appendHead(trx, { kind: "amended", runId: run.id, events: count, headHash, at });
  return written;
}

/** Those of the events that the run holds already at the numbers they claim. */
async function findRepeated(
  trx: LedgerTransaction,
  run: RunsTable,
  events: readonly PreparedEvent[],
  fromSeq: number,
): Promise<RunEvent[]> {
  if (fromSeq === run.events) return [];
  if (!Number.isInteger(fromSeq) || fromSeq < 0 || fromSeq > run.events) {
    throw new DrydockError(
      "input.invalid",
      `Event ${fromSeq} can't be added to run ${run.id}: its next event is ${run.events}.`,
      `Append from ${run.events} on, without gaps.`,
      { runId: run.id, seq: fromSeq, nextSeq: run.events },
    );
  }
  const rows = await trx
    .selectFrom("events")
    .selectAll()
    .where("run_id", "=", run.id)
    .where("seq", ">=", fromSeq)
    .where("seq", "<", fromSeq + events.length)
    .orderBy("seq")
    .execute();
  return rows.map((row, index) => {
    const event = events[index];
    if (event && event.type === row.type && event.text === row.data) return eventFromRow(row);
    throw new DrydockError(
      "input.invalid",
      `Run ${run.id} holds another event ${row.seq} already (${row.type}).`,
      "Repeat an append with the same content only; append new events behind the last one.",
      { runId: run.id, seq: row.seq, nextSeq: run.events },
    );
  });
}

function refuseMisplaced(run: RunsTable, type: EventType): void {
  if (isFinalEvent(type) || type === "run.created" || statusAfter(type) !== undefined) {
    throw new DrydockError(
      "input.invalid",
      `${type} can't be appended to run ${run.id}: a run begins and ends once.`,
      "Use createRun to begin a run, finish to end it, and pause and resume in between.",
      { runId: run.id, type },
    );
  }
  if (hasEnded(run) && !AFTER_END_EVENTS.includes(type)) {
    throw new DrydockError(
      "input.invalid",
      `Run ${run.id} has ended (${run.status}); ${type} can't be added any more.`,
      `After its end a run takes only ${AFTER_END_EVENTS.join(", ")}.`,
      { runId: run.id, type, status: run.status },
    );
  }
}
