import { OPEN_STATUSES } from "@drydock/protocol";
import { sql } from "kysely";
import { featuresOf } from "../database/features.ts";
import type { HostEventsTable, LedgerDatabase, LedgerTransaction } from "../database/schema.ts";
import type { LedgerContext } from "../ledger-context.ts";

export type EventRow = Omit<HostEventsTable, "seq"> & { seq: number };

/**
 * Messages that were queued for a run under way, whose run has ended and never got them, and whose process is gone before it
 * could handle them otherwise. One that the runner has pulled is not among them, nor one of a run that was cancelled.
 */
export async function findLeftSteering(
  context: LedgerContext,
  db: LedgerDatabase | LedgerTransaction,
  options: { id?: string } = {},
): Promise<EventRow[]> {
  let query = db
    .selectFrom("host_events as e")
    .innerJoin("runs as r", "r.id", "e.run_id")
    .selectAll("e")
    .where("e.outcome", "=", "steering")
    .where("e.owner", "is not", null)
    .where("r.status", "not in", [...OPEN_STATUSES, "cancelled"])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("events as i")
            .select("i.seq")
            .whereRef("i.run_id", "=", "e.run_id")
            .where("i.type", "=", "steering.injected")
            .where(sql<boolean>`${featuresOf(db).jsonText(sql.ref("i.data"), "eventId")} = e.id`),
        ),
      ),
    );
  if (options.id !== undefined) query = query.where("e.id", "=", options.id);
  const rows = await query.orderBy("e.seq").execute();
  return rows.filter(({ owner }) => owner !== null && context.isGone(JSON.parse(owner)));
}

/** The agent whose run it was queued for. */
export async function readAgentName(trx: LedgerTransaction, runId: string | null): Promise<string | null> {
  const created = await trx
    .selectFrom("events")
    .select("data")
    .where("run_id", "=", runId ?? "")
    .where("type", "=", "run.created")
    .executeTakeFirst();
  const { request } = Object(created && JSON.parse(created.data)) as { request?: { agent?: { name?: unknown } } };
  const name = request?.agent?.name;
  return typeof name === "string" ? name : null;
}
