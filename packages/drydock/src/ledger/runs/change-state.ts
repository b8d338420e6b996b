import { DrydockError, hasEnded, type RunEvent } from "@drydock/protocol";
import { defineQuery } from "../database/define-query.ts";
import type { LedgerTransaction, RunsTable } from "../database/schema.ts";
import { type LedgerContext, write } from "../ledger-context.ts";
import { requireRun } from "./find-run.ts";
import {
  claimLost,
  foldHeld,
  type Held,
  requireHolder,
  type StateEventType,
  statusAfter,
  survivesProcess,
} from "./run-state.ts";
import { prepareEvent, writeEvents } from "./write-events.ts";

type StateRow = Held & Pick<RunsTable, "id" | "status" | "events" | "head_hash"> & { held_fence: number };

const moveState = defineQuery<StateRow, { id: string }>((db, p) =>
  db
    .updateTable("runs")
    .set({
      status: p("status"),
      events: p("events"),
      head_hash: p("head_hash"),
      owner_pid: p("owner_pid"),
      owner_start: p("owner_start"),
      owner_host: p("owner_host"),
      fence: p("fence"),
    })
    .where("id", "=", p("id"))
    .where("fence", "=", p("held_fence"))
    .returning("id"),
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
    if (run.status === "queued" || (run.status === "running" && run.fence > 0)) {
      throw new DrydockError(
        "input.invalid",
        run.status === "queued" ? `Run ${runId} waits for a worker.` : `Run ${runId} is carried out by a worker.`,
        "Wait for it, or cancel it first.",
        { runId, status: run.status },
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
  return write(context, async (trx) => {
    const run = await requireRun(trx, runId);
    if (run.fence > 0) requireHolder(run, context.owner, context.claims.get(runId));
    return moveTo(context, trx, run, "run.paused", data);
  });
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
  const { id } = run;
  const moved = await moveState(trx, { id, ...stateAfter(run, event), held_fence: run.fence });
  if (moved.length === 0) throw claimLost(id);
  return event;
}

/** The columns that the event changes. */
export function stateAfter(run: RunsTable, event: RunEvent): Held & Pick<RunsTable, "status" | "events" | "head_hash"> {
  const status = statusAfter(event.type) ?? run.status;
  return { ...foldHeld(run, event), status, events: event.seq + 1, head_hash: event.hash };
}
