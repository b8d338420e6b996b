import type { AuditHead, AuditReport } from "@drydock/protocol";
import { findCapability } from "../capabilities/capability-row.ts";
import type { LedgerDatabase } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";
import { findRun } from "../runs/find-run.ts";
import { LEDGER, Problems } from "./problems.ts";
import { readEvents } from "./read-pages.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { type Mark, verifyHeads } from "./verify-heads.ts";
import { RunVerifier } from "./verify-run.ts";

export interface VerifyOptions {
  /** A head kept from an earlier export or report: the chain must still hold it. Exposes a rewrite of everything. */
  expectedHead?: AuditHead;
}

/** Computes every hash again, in one snapshot, while others go on writing. What it proves is said in `hash-entries.ts`. */
export async function verifyLedger(context: LedgerContext, options: VerifyOptions = {}): Promise<AuditReport> {
  return readSnapshot(context.home, async (db) => {
    const problems = new Problems();
    try {
      const { marks, head } = await verifyHeads(db, problems, options.expectedHead);
      const counts = await verifyRuns(db, marks, problems);
      const first = problems.first();
      return { ok: first === undefined, ...counts, ...(first ? { first } : {}), head };
    } catch (error) {
      if (!isUnreadableNumber(error)) throw error;
      problems.add(LEDGER, 0, "A column holds a number that the ledger never writes.");
      return { ok: false, runs: 0, events: 0, first: problems.first() };
    }
  });
}

/** Node refuses to read an integer that a JavaScript number can't hold. */
function isUnreadableNumber(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

/** Compares what the events say with the rows that repeat it. */
async function endRun(db: LedgerDatabase, verifier: RunVerifier): Promise<void> {
  verifier.end(await findRun(db, verifier.runId));
  if (!verifier.isCapability) return;
  const approvals = await db.selectFrom("approvals").selectAll().where("run_id", "=", verifier.runId).execute();
  verifier.endCapability(await findCapability(db, verifier.runId), approvals);
}

async function verifyRuns(
  db: LedgerDatabase,
  marks: Map<string, Mark[]>,
  problems: Problems,
): Promise<{ runs: number; events: number }> {
  let runs = 0;
  let events = 0;
  let current: RunVerifier | undefined;
  for await (const event of readEvents(db)) {
    events += 1;
    if (current?.runId !== event.run_id) {
      if (current) await endRun(db, current);
      current = new RunVerifier(event.run_id, marks.get(event.run_id) ?? [], problems);
      marks.delete(event.run_id);
      runs += 1;
    }
    current.next(event);
  }
  if (current) await endRun(db, current);

  // What is left of the marks are runs without a single event.
  for (const runId of marks.keys()) problems.add(runId, 0, "The run is missing: the ledger's chain has recorded it.");
  const empty = await db
    .selectFrom("runs")
    .select("id")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("events").select("seq").whereRef("events.run_id", "=", "runs.id"))),
    )
    .execute();
  for (const { id } of empty) problems.add(id, 0, "The run has no events.");
  return { runs, events };
}
