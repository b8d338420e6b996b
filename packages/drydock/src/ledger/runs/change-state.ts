import { DrydockError, hasEnded, type RunEvent } from "@drydock/protocol";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerTransaction, RunsTable } from "../database/schema.ts";
import { type LedgerContext, write } from "../ledger-context.ts";
import { requireRun } from "./find-run.ts";
import { foldOwner, type StateEventType, statusAfter, survivesProcess } from "./run-state.ts";
import { prepareEvent, writeEvents } from "./write-events.ts";

type StateRow = Pick<RunsTable, "id" | "status" | "events" | "head_hash" | "owner_pid" | "owner_start" | "owner_host">;

const moveState = defineQuery<StateRow>((db, p) =>
  db
    .updateTable("runs")
    .set({
      status: p("status"),
      events: p("events"),
      head_hash: p("head_hash"),
      owner_pid: p("owner_pid"),
      owner_start: p("owner_start"),
      owner_host: p("owner_host"),
    })
    .where("id", "=", p("id")),
);

/** Takes a paused or interrupted run, or one whose process is gone, as this process's own. */
export async function resumeRun(context: LedgerContext, runId: string): Promise<RunEvent> {
  return write(context, async (trx) => {
    const run = await requireRun(trx, runId);
    const owner = { pid: run.owner_pid, startTime: run.owner_start, host: run.owner_host };
    if (!survivesProcess(run.kind) || hasEnded(run)) {
      throw new DrydockError(
        "input.invalid",
        survivesProcess(run.kind)
          ? `Run ${runId} has ended (${run.status}).`
          : `Run ${runId} is of the kind ${run.kind}, which can't be resumed.`,
        "Start a new run.",
        { runId, status: run.status, kind: run.kind },
      );
    }
    if (run.status === "running" && !context.isGone(owner)) {
      throw new DrydockError(
        "input.invalid",
        `Run ${runId} is still running in process ${owner.pid}.`,
        "Wait for it, or cancel it first.",
        { runId, status: run.status, pid: owner.pid },
      );
    }
    return moveTo(context, trx, run, "run.resumed", { owner: context.owner });
  });
}

export async function pauseRun(
  context: LedgerContext,
  runId: string,
  data: Record<string, unknown>,
): Promise<RunEvent> {
  return write(context, async (trx) => moveTo(context, trx, await requireRun(trx, runId), "run.paused", data));
}

/** Inside a transaction that is already open. */
export async function moveTo(
  context: LedgerContext,
  trx: LedgerTransaction,
  run: RunsTable,
  type: StateEventType,
  data: Record<string, unknown>,
): Promise<RunEvent> {
  const at = context.now().toISOString();
  const after = { seq: run.events, prevHash: run.head_hash, at };
  const [event] = await writeEvents(trx, run.id, after, [prepareEvent(context, { type, data })]);
  if (!event) throw new Error("an event was not written");
  const owner = type === "run.resumed" ? foldOwner(event.data) : run;
  await moveState(trx, {
    id: run.id,
    status: statusAfter(type) ?? run.status,
    events: run.events + 1,
    head_hash: event.hash,
    owner_pid: owner.owner_pid,
    owner_start: owner.owner_start,
    owner_host: owner.owner_host,
  });
  return event;
}
