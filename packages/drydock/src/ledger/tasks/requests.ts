import { type LedgerContext, read, write, writeRun } from "../ledger-context.ts";
import { requireRun } from "../runs/find-run.ts";

export type RequestKind = "pause" | "cancel" | "retry" | "add" | "checkpoint" | "rewind";

/** Something that one process asks of a run which another one holds. */
export interface PendingRequest {
  id: string;
  kind: RequestKind;
  data: Record<string, unknown>;
}

export interface Requests {
  send(runId: string, kind: RequestKind, data?: Record<string, unknown>): Promise<void>;
  /** New requests, oldest first. Taking removes them: the caller records their results. */
  take(runId: string): Promise<PendingRequest[]>;
}

export function createRequests(context: LedgerContext): Requests {
  return {
    async send(runId, kind, data = {}) {
      const row = { id: context.newId("req"), run_id: runId, kind, data: JSON.stringify(data) };
      await writeRun(context, async (trx) => {
        await requireRun(trx, runId);
        await trx
          .insertInto("requests")
          .values({ ...row, at: context.now().toISOString() })
          .execute();
      });
    },
    async take(runId) {
      // Most polls find nothing, and a poll must not wait for a writer.
      const waiting = await read(context, (db) =>
        db.selectFrom("requests").select("id").where("run_id", "=", runId).limit(1).execute(),
      );
      if (waiting.length === 0) return [];
      const rows = await write(context, async (trx) => {
        const found = await trx.selectFrom("requests").selectAll().where("run_id", "=", runId).orderBy("id").execute();
        await trx.deleteFrom("requests").where("run_id", "=", runId).execute();
        return found;
      });
      return rows.map(({ id, kind, data }) => ({ id, kind: kind as RequestKind, data: JSON.parse(data) }));
    },
  };
}
