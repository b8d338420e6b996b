import type { LedgerContext } from "../ledger-context.ts";
import { findRun } from "../runs/find-run.ts";
import { readSignedHead } from "../signing/sign-head.ts";
import { readEvents, readHeads } from "./read-pages.ts";

/**
 * Everything that an auditor needs to compute the hashes again elsewhere, one JSON value a line: checkpoints, the
 * entries of the ledger's chain, then each run with its events, and at last the head to keep. `chain/hash-entries.ts`
 * says what each hash covers.
 */
export async function* exportAudit(context: LedgerContext): AsyncGenerator<string> {
  try {
    await using db = context.store.openSnapshot();
    const trx = await db.startTransaction().setAccessMode("read only").execute();
    try {
      yield line({ record: "ledger", version: 1, exportedAt: context.now().toISOString() });
      for (const row of await trx.selectFrom("checkpoints").selectAll().orderBy("position").execute()) {
        yield line({ record: "checkpoint", recordedAt: row.position, ...parseOrKeep(row.data) });
      }
      let head = { position: 0, hash: "" };
      for await (const row of readHeads(trx)) {
        head = { position: row.position, hash: row.hash };
        yield line({
          record: "head",
          position: row.position,
          kind: row.kind,
          runId: row.run_id,
          events: row.events,
          headHash: row.head_hash,
          at: row.at,
          prevHash: row.prev_hash,
          hash: row.hash,
        });
      }
      let runId: string | undefined;
      let runs = 0;
      let events = 0;
      for await (const row of readEvents(trx)) {
        if (row.run_id !== runId) {
          runId = row.run_id;
          runs += 1;
          yield line({ record: "run", ...(await findRun(trx, runId)) });
        }
        events += 1;
        yield line({
          record: "event",
          runId: row.run_id,
          seq: row.seq,
          type: row.type,
          at: row.at,
          ...parseOrKeep(row.data),
          prevHash: row.prev_hash,
          hash: row.hash,
        });
      }
      const signed = await readSignedHead(trx);
      if (signed !== undefined) yield line({ record: "signed-head", ...parseOrKeep(signed) });
      yield line({ record: "end", runs, events, head });
    } finally {
      await trx.rollback().execute();
    }
  } catch (error) {
    throw context.store.toError(error);
  }
}

/** An export is evidence: what somebody made unreadable is passed on as it is, not refused. */
function parseOrKeep(text: string): { data: unknown } | { unreadable: string } {
  try {
    return { data: JSON.parse(text) };
  } catch {
    return { unreadable: String(text) };
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
