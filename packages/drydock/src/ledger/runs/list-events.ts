import type { RunEvent } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";
import { readLimit } from "../read-limit.ts";
import { eventFromRow } from "./write-events.ts";

export interface ListEventsOptions {
  /** Only events after this number. Default: all events. */
  afterSeq?: number;
  /** Default: 1000. */
  limit?: number;
}

/** A run's events in their order. Asking again with the last `seq` as `afterSeq` goes on from there. */
export async function listEvents(
  context: LedgerContext,
  runId: string,
  options: ListEventsOptions = {},
): Promise<RunEvent[]> {
  const limit = readLimit(options.limit ?? 1000, Number.MAX_SAFE_INTEGER);
  const rows = await read(context, (db) =>
    db
      .selectFrom("events")
      .selectAll()
      .where("run_id", "=", runId)
      .where("seq", ">", options.afterSeq ?? -1)
      .orderBy("seq")
      .limit(limit)
      .execute(),
  );
  return rows.map(eventFromRow);
}
