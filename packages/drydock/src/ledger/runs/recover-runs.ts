import { type LedgerContext, read, write } from "../ledger-context.ts";
import type { Owner } from "../owner.ts";
import { moveTo } from "./change-state.ts";
import { findRun } from "./find-run.ts";
import { endInTransaction } from "./finish-run.ts";
import { survivesProcess } from "./run-state.ts";
import { dropUnfinished, listUnfinished, readUnfinished } from "./unfinished-output.ts";
import { prepareEvent } from "./write-events.ts";

/**
 * Ends as `lost` the runs whose owner process is gone, so that none stays "running" for ever. Those that can be resumed
 * are marked as interrupted instead. What was kept of their output is put on record. Returns the ids of both.
 */
export async function recoverRuns(
  context: LedgerContext,
  isGone: (owner: Owner) => boolean = context.isGone,
): Promise<string[]> {
  const running = await read(context, (db) =>
    db
      .selectFrom("runs")
      .select(["id", "owner_pid", "owner_start", "owner_host"])
      .where("status", "=", "running")
      // What a worker has claimed is taken over by another one.
      .where("fence", "=", 0)
      .orderBy("id")
      .execute(),
  );
  const lost: string[] = [];
  for (const row of running) {
    const owner = { pid: row.owner_pid, startTime: row.owner_start, host: row.owner_host };
    if (!isGone(owner)) continue;
    const data = { reason: "The process that ran it is gone.", owner, recoveredBy: context.owner };
    const at = context.now().toISOString();
    await write(context, async (trx) => {
      // Another process may be recovering as well; the first one writes.
      const current = await findRun(trx, row.id);
      if (current?.status !== "running" || current.fence > 0) return;
      if (current.owner_pid !== row.owner_pid || current.owner_start !== row.owner_start) return;
      if (survivesProcess(current.kind)) await moveTo(context, trx, current, "run.interrupted", data);
      else {
        const output = readUnfinished(context, row.id);
        await endInTransaction(
          trx,
          row.id,
          [...(output ? [output] : []), prepareEvent(context, { type: "run.lost", data })],
          at,
        );
      }
      lost.push(row.id);
    });
  }
  const alive = new Set(running.map(({ id }) => id).filter((id) => !lost.includes(id)));
  for (const id of listUnfinished(context)) if (!alive.has(id)) await dropOf(context, id);
  return lost;
}

/** A run that began since is another's, and under way. */
async function dropOf(context: LedgerContext, runId: string): Promise<void> {
  const run = await read(context, (db) => findRun(db, runId));
  if (run?.status !== "running") dropUnfinished(context, runId);
}
