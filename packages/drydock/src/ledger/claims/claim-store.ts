import { DrydockError, hasEnded, type Run, type RunEvent } from "@drydock/protocol";
import { CompiledQuery } from "kysely";
import type { LedgerTransaction, RunsTable } from "../database/schema.ts";
import { type LedgerContext, writeRun } from "../ledger-context.ts";
import { moveTo, stateAfter } from "../runs/change-state.ts";
import { createRun, type NewRun } from "../runs/create-run.ts";
import { requireRun } from "../runs/find-run.ts";
import { runFromRow } from "../runs/get-run.ts";
import { foldOwner, isHeldBy, requireHolder, survivesProcess } from "../runs/run-state.ts";

/** A statement in the ledger's own transaction, for what has to be written together with a run. Returns its rows. */
export type Sql = <R = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** `ended`: there is nothing left to do. `held`: no worker may have it now. `refused`: the queue has decided against it. */
export type Claimed =
  | { kind: "claimed"; run: Run; fence: number; isTakenOver: boolean }
  | { kind: "ended" | "held" | "refused"; run: Run };

/** Runs that wait for a worker, and the claims of workers. See `runs/run-state.ts`. */
export interface Claims {
  /** Puts a run on record that a worker will carry out; `beside` is written in the same transaction. */
  queueRun(
    run: NewRun,
    data: Record<string, unknown>,
    beside: (sql: Sql, id: string) => Promise<void>,
  ): Promise<{ id: string }>;
  /** Lets a run that has begun wait for a worker: one that is paused or interrupted, or one that this process holds. */
  queueAgain(runId: string, data: Record<string, unknown>, beside: (sql: Sql) => Promise<void>): Promise<RunEvent>;
  /**
   * Claims a run that waits, or that another claim holds, for this process. `decide` is asked in the same transaction, and the
   * run's row is locked by then. From here on this process writes to the run under this claim only.
   */
  claim(runId: string, data: Record<string, unknown>, decide: (sql: Sql) => Promise<boolean>): Promise<Claimed>;
  /** What still runs for the claim can write no more. */
  drop(runId: string): void;
}

export function createClaims(context: LedgerContext): Omit<Claims, "drop"> {
  return {
    queueRun: (run, data, beside) =>
      createRun(context, run, async (trx, row) => {
        await moveTo(context, trx, row, "run.queued", data);
        await beside(sqlOf(trx), row.id);
      }),
    queueAgain: (runId, data, beside) =>
      writeRun(context, async (trx) => {
        const run = await requireRun(trx, runId);
        const isOwn = run.fence === 0 && isHeldBy(run, foldOwner({ owner: context.owner }));
        const mayWait = isOwn || run.status === "paused" || run.status === "interrupted";
        if (!mayWait) requireClaimed(context, run);
        const event = await moveTo(context, trx, run, "run.queued", data);
        await beside(sqlOf(trx));
        return event;
      }),
    async claim(runId, data, decide) {
      const held = context.claims.get(runId);
      if (held !== undefined) throw new Error(`this process still works on ${runId} under its claim ${held}`);
      const claimed = await writeRun(context, (trx) => claimIn(context, trx, runId, { data, decide }));
      if (claimed.kind === "claimed") context.claims.set(runId, claimed.fence);
      return claimed;
    },
  };
}

function requireClaimed(context: LedgerContext, run: RunsTable): void {
  const claim = context.claims.get(run.id);
  if (claim !== undefined && run.status === "running") {
    requireHolder(run, context.owner, claim);
    return;
  }
  throw new DrydockError(
    "input.invalid",
    `Run ${run.id} can't be handed to a worker: it ${hasEnded(run) ? `has ended (${run.status})` : `is ${run.status}`}.`,
    "Only a run that was paused or interrupted can.",
    { runId: run.id, status: run.status },
  );
}

interface Claiming {
  data: Record<string, unknown>;
  decide(sql: Sql): Promise<boolean>;
}

async function claimIn(
  context: LedgerContext,
  trx: LedgerTransaction,
  runId: string,
  { data, decide }: Claiming,
): Promise<Claimed> {
  const found = await requireRun(trx, runId);
  if (hasEnded(found)) return { kind: "ended", run: runFromRow(found) };
  const isTakenOver = found.status === "running" && found.fence > 0;
  if (found.status !== "queued" && !isTakenOver) return { kind: "held", run: runFromRow(found) };
  if (!(await decide(sqlOf(trx)))) return { kind: "refused", run: runFromRow(found) };
  const waiting = isTakenOver ? await takeFrom(context, trx, found) : found;
  const event = await moveTo(context, trx, waiting, "run.claimed", { ...data, owner: context.owner });
  const run = runFromRow({ ...waiting, ...stateAfter(waiting, event) });
  return { kind: "claimed", run, fence: event.seq, isTakenOver };
}

/** The worker that has it is gone, or will be refused from now on. */
async function takeFrom(context: LedgerContext, trx: LedgerTransaction, run: RunsTable): Promise<RunsTable> {
  const event = await moveTo(context, trx, run, "run.queued", { reason: "The worker that had it does not answer." });
  // What is begun anew stores its artifacts again.
  if (!survivesProcess(run.kind)) await trx.deleteFrom("artifacts").where("run_id", "=", run.id).execute();
  return { ...run, ...stateAfter(run, event) };
}

function sqlOf(trx: LedgerTransaction): Sql {
  return async <R>(text: string, values: readonly unknown[] = []) =>
    (await trx.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows;
}
