import { EVENT_GROUPS, type EventGroup, type EventPage, type EventPageOptions, type RunEvent } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";
import { readLimit } from "../read-limit.ts";
import { findRun } from "./find-run.ts";
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

/** Events that one page looks through where only some groups are asked for. */
const EXAMINED_AT_ONCE = 20_000;

/** One page of a run's events from either end, in their order. What it costs does not depend on how many there are. */
export async function readEventPage(
  context: LedgerContext,
  runId: string,
  options: EventPageOptions = {},
): Promise<EventPage> {
  const { after = -1, from = "first", groups } = options;
  const limit = readLimit(options.limit ?? 1000);
  return read(context, async (db) => {
    const total = (await findRun(db, runId))?.events ?? 0;
    const end = Math.min(options.before ?? total, total);
    // Numbers have no gaps: the part to look through is known without reading it.
    const width = groups ? EXAMINED_AT_ONCE : limit;
    const low = from === "first" ? after + 1 : Math.max(after + 1, end - width);
    const high = from === "first" ? Math.min(end, after + 1 + width) : end;
    let query = db.selectFrom("events").selectAll().where("run_id", "=", runId);
    query = query.where("seq", ">=", low).where("seq", "<", high);
    if (groups) query = query.where("type", "in", typesOf(groups));
    const rows = await query
      .orderBy("seq", from === "first" ? "asc" : "desc")
      .limit(limit)
      .execute();
    if (from === "last") rows.reverse();
    const isFull = rows.length === limit;
    // What was looked through: all of the part, or as far as the page was full.
    const first = from === "last" && isFull ? (rows[0]?.seq ?? low) : low;
    const last = from === "first" && isFull ? (rows.at(-1)?.seq ?? high - 1) : high - 1;
    return {
      events: rows.map(eventFromRow),
      total,
      before: first > 0 ? first : null,
      after: last < total - 1 && last >= 0 ? last : null,
    };
  });
}

export function typesOf(groups: readonly EventGroup[]): string[] {
  return Object.entries(EVENT_GROUPS).flatMap(([type, group]) => (groups.includes(group) ? [type] : []));
}
