import type { CapabilityRecord, ListCapabilitiesOptions } from "@drydock/protocol";
import { sql } from "kysely";
import { type LedgerContext, read } from "../ledger-context.ts";
import { readLimit } from "../read-limit.ts";
import { runFromRow } from "../runs/get-run.ts";
import { decodeCursor, encodeCursor } from "../runs/list-runs.ts";

/** Newest first. One of the filters is looked up by its index: the narrowest there usually is. */
export async function listCapabilities(
  context: LedgerContext,
  options: ListCapabilitiesOptions = {},
): Promise<{ runs: CapabilityRecord[]; nextCursor: string | null }> {
  const limit = readLimit(options.limit);
  const before = options.cursor ? decodeCursor(options.cursor) : undefined;
  const rows = await read(context, (db) => {
    let query = db
      .selectFrom("capabilities")
      .innerJoin("runs", "runs.id", "capabilities.run_id")
      .selectAll("runs")
      .select(["extension", "command", "action", "caller", "session", "duration_ms"]);
    const filters = [
      ["session", options.session],
      ["caller", options.user],
      ["extension", options.extension],
    ] as const;
    let isIndexed = false;
    for (const [column, value] of filters) {
      if (value === undefined) continue;
      // An expression has no index, so that the one of the first filter is taken.
      query = isIndexed
        ? query.where(sql<string>`${sql.ref(column)} || ''`, "=", value)
        : query.where(column, "=", value);
      isIndexed = true;
    }
    if (before !== undefined) query = query.where("capabilities.run_id", "<", before);
    return query
      .orderBy("capabilities.run_id", "desc")
      .limit(limit + 1)
      .execute();
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const runs = page.map((row) => ({
    ...runFromRow(row),
    extension: row.extension,
    command: row.command,
    action: row.action,
    user: row.caller,
    session: row.session,
    durationMs: row.duration_ms,
  }));
  return { runs, nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null };
}
