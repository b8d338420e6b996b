import { DrydockError, hasEnded, type RunEvent } from "@drydock/protocol";
import { endCapability } from "../capabilities/capability-row.ts";
import { appendHead } from "../chain/append-head.ts";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerTransaction, RunsTable } from "../database/schema.ts";
import { type LedgerContext, write, writeRun } from "../ledger-context.ts";
import { requireRun } from "./find-run.ts";
import { foldTerminal, isFinalEvent } from "./fold-run.ts";
import { endFacts } from "./run-facts.ts";
import { claimLost, requireHolder, writingFence } from "./run-state.ts";
import { eventFromRow, type NewEvent, type PreparedEvent, prepareEvent, writeEvents } from "./write-events.ts";

type EndedRow = Pick<
  RunsTable,
  "id" | "status" | "verdict" | "error_code" | "tree_hash" | "ended_at" | "events" | "head_hash" | "fence"
>;

const endRun = defineQuery<EndedRow, { id: string }>((db, p) =>
  db
    .updateTable("runs")
    .set({
      status: p("status"),
      verdict: p("verdict"),
      error_code: p("error_code"),
      tree_hash: p("tree_hash"),
      ended_at: p("ended_at"),
      events: p("events"),
      head_hash: p("head_hash"),
    })
    .where("id", "=", p("id"))
    .where("fence", "=", p("fence"))
    .returning("id"),
);

/** What is written together with a run's end, in the same transaction. */
export interface EndOptions {
  write(trx: LedgerTransaction): Promise<void>;
}

/**
 * Ends a run: the events before its end, its one terminal event, its row, and its head in the ledger's chain, all at
 * once. Ending it again in the same way changes nothing; in another way is refused, because somebody else (a recovery,
 * another process) has ended it first.
 */
export async function finishRun(
  context: LedgerContext,
  runId: string,
  terminal: NewEvent,
  before: readonly NewEvent[] = [],
  withEnd: readonly EndOptions[] = [],
): Promise<RunEvent[]> {
  const prepared = [...before, terminal].map((event) => prepareEvent(context, event));
  if (
    !isFinalEvent(terminal.type) ||
    before.some((event) => isFinalEvent(event.type) || event.type === "run.created")
  ) {
    throw new DrydockError(
      "input.invalid",
      `Run ${runId} can't be ended with ${[...before, terminal].map((event) => event.type).join(", ")}.`,
      "Give exactly one terminal event, as the last.",
      { runId },
    );
  }
  const at = context.now().toISOString();
  // What is written with the end may depend on other runs, or remove files.
  const transact = withEnd.length === 0 ? writeRun : write;
  return transact(context, async (trx) => {
    const run = await requireRun(trx, runId);
    // Any process may end a run without an owner: that is how it is cancelled.
    const claim = context.claims.get(runId);
    if (run.status === "running" || claim !== undefined) requireHolder(run, context.owner, claim);
    const written = await endRow(trx, run, prepared, at, claim);
    for (const each of withEnd) await each.write(trx);
    return written;
  });
}

/** The same inside a transaction that is already open. */
export async function endInTransaction(
  trx: LedgerTransaction,
  runId: string,
  events: readonly PreparedEvent[],
  at: string,
): Promise<RunEvent[]> {
  return endRow(trx, await requireRun(trx, runId), events, at);
}

async function endRow(
  trx: LedgerTransaction,
  run: RunsTable,
  events: readonly PreparedEvent[],
  at: string,
  claim?: number,
): Promise<RunEvent[]> {
  if (hasEnded(run)) return findSameEnd(trx, run, events);
  const runId = run.id;
  const written = await writeEvents(trx, runId, { seq: run.events, prevHash: run.head_hash, at }, events);
  const last = written.at(-1);
  if (!last) return written;
  const count = run.events + written.length;
  const end = { ...foldTerminal(last, last.data), events: count, head_hash: last.hash };
  const ended = await endRun(trx, { id: runId, ...end, fence: writingFence(run, claim) });
  if (ended.length === 0) throw claimLost(runId);
  await appendHead(trx, { kind: "ended", runId, events: count, headHash: last.hash, at });
  if (run.kind === "capability") await endCapability(trx, runId, last, last.data);
  await endFacts(trx, run, last.data);
  return written;
}

async function findSameEnd(
  trx: LedgerTransaction,
  run: RunsTable,
  events: readonly PreparedEvent[],
): Promise<RunEvent[]> {
  const rows = await trx.selectFrom("events").selectAll().where("run_id", "=", run.id).orderBy("seq").execute();
  const end = rows.findIndex((row) => isFinalEvent(row.type)) + 1;
  const stored = rows.slice(Math.max(0, end - events.length), end);
  const same = stored.length === events.length && stored.every((row, i) => isSame(row, events[i]));
  if (same) return stored.map(eventFromRow);
  throw new DrydockError(
    "input.invalid",
    `Run ${run.id} has ended already (${run.status}).`,
    "A run ends once; look at its events to see who ended it.",
    { runId: run.id, status: run.status },
  );
}

function isSame(row: { type: string; data: string }, event: PreparedEvent | undefined): boolean {
  return event !== undefined && row.type === event.type && row.data === event.text;
}
