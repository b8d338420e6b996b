import type { KeyObject } from "node:crypto";
import type { AuditReport } from "@drydock/protocol";
import { findCapability } from "../capabilities/capability-row.ts";
import type { LedgerDatabase } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";
import { findRun } from "../runs/find-run.ts";
import { findFacts } from "../runs/run-facts.ts";
import { listTrustedKeys } from "../signing/open-keys.ts";
import { type Anchor, readAnchors } from "../signing/read-anchors.ts";
import { readSignedHead } from "../signing/sign-head.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { LEDGER, Problems } from "./problems.ts";
import { readEvents } from "./read-pages.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { type Mark, verifyHeads } from "./verify-heads.ts";
import { RunVerifier } from "./verify-run.ts";

export interface VerifyLedgerOptions {
  /**
   * Heads that were kept elsewhere: what `audit anchor` wrote, a receipt, or a hash. The chain must still hold each of
   * them, which exposes a ledger that was replaced, truncated, rolled back or rewritten.
   */
  expect?: string;
}

/** Computes every hash again, in one snapshot, while others go on writing. What it proves is said in `hash-entries.ts`. */
export async function verifyLedger(
  context: Pick<LedgerContext, "home" | "store">,
  options: VerifyLedgerOptions = {},
): Promise<AuditReport> {
  return readSnapshot(context, async (db) => {
    const problems = new Problems();
    // The first look at the database fixes the moment. Keys are read after it: a signer stores its key first.
    const signed = await readSignedHead(db);
    const keys = await listTrustedKeys(context, db);
    const expected = options.expect === undefined ? [] : readAnchors(options.expect, keys);
    try {
      const { marks, head, anchors, checkpoint } = await verifyHeads(db, problems, [
        ...expected,
        ...readOwn(signed, keys),
      ]);
      const counts = await verifyRuns(db, marks, problems);
      const expectedAnchors = anchors.slice(0, expected.length);
      // A head that the caller passed comes first: single rows of another ledger do not matter.
      const wrong = expectedAnchors.find(({ ok }) => !ok) ?? anchors.find(({ ok }) => !ok);
      const first = wrong ? { runId: LEDGER, seq: 0, problem: wrong.problem ?? "" } : problems.first();
      const pruned = checkpoint && describeCut(checkpoint);
      const report = { ok: first === undefined, ...counts, ...(first && { first }), head, ...(pruned && { pruned }) };
      return expected.length === 0 ? report : { ...report, anchors: expectedAnchors };
    } catch (error) {
      if (!isUnreadableNumber(error)) throw error;
      problems.add(LEDGER, 0, "A column holds a number that the ledger never writes.");
      return { ok: false, runs: 0, events: 0, first: problems.first() };
    }
  });
}

function describeCut({ removedRuns, removedEvents, before, at }: Checkpoint): NonNullable<AuditReport["pruned"]> {
  return { runs: removedRuns, events: removedEvents, before, at };
}

/** The head that was signed last and is kept in the ledger itself. It has to fit as any other. */
function readOwn(stored: string | undefined, keys: ReadonlyMap<string, KeyObject>): Anchor[] {
  if (stored === undefined) return [];
  try {
    return readAnchors(stored, keys).map((anchor) => ({
      ...anchor,
      problem: anchor.problem && `The signed head in the ledger: ${anchor.problem}`,
    }));
  } catch {
    const problem = "The signed head in the ledger was changed.";
    return [{ position: null, hash: "", at: null, keyId: null, problem }];
  }
}

/** Node refuses to read an integer that a JavaScript number can't hold. */
function isUnreadableNumber(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

/** Compares what the events say with the rows that repeat it. */
async function endRun(db: LedgerDatabase, verifier: RunVerifier): Promise<void> {
  verifier.end(await findRun(db, verifier.runId));
  verifier.endFacts(await findFacts(db, verifier.runId));
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
