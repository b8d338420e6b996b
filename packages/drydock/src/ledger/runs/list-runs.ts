import { DrydockError, type ListRunsOptions, type Run, type RunSummary } from "@drydock/protocol";
import { featuresOf } from "../database/features.ts";
import type { RunFactsTable, RunsTable } from "../database/schema.ts";
import { type LedgerContext, read } from "../ledger-context.ts";
import { readLimit } from "../read-limit.ts";
import { runFromRow } from "./get-run.ts";
import { filterIndexed, filterText, listWords } from "./run-filter.ts";

/** Rows that one page looks through for words. */
const SEARCHED_AT_ONCE = 50_000;

/**
 * Newest first. `nextCursor` is null on the last page. With `text` a page can be short, or empty, and not the last: each looks
 * through 50,000 runs at most.
 */
export async function listRuns(
  context: LedgerContext,
  options: ListRunsOptions = {},
): Promise<{ runs: RunSummary[]; nextCursor: string | null }> {
  const limit = readLimit(options.limit);
  const before = options.cursor ? decodeCursor(options.cursor) : undefined;
  return read(context, async (db) => {
    let indexed = filterIndexed(db.selectFrom("runs"), options);
    if (before !== undefined) indexed = indexed.where("id", "<", before);
    const isSearch = listWords(options.text).length > 0;
    const [edge] = isSearch
      ? await indexed.select("id").orderBy("id", "desc").limit(1).offset(SEARCHED_AT_ONCE).execute()
      : [];
    let query = filterText(indexed, options.text, featuresOf(db));
    if (edge) query = query.where("id", ">", edge.id);
    const rows = await query
      .leftJoin("run_facts", "run_facts.run_id", "runs.id")
      .selectAll("runs")
      .select(["agent", "input_tokens", "output_tokens", "micro_usd"])
      .orderBy("runs.id", "desc")
      .limit(limit + 1)
      .execute();
    const page = rows.slice(0, limit);
    const isFull = rows.length > limit;
    // Where the search stopped, the next page begins with the row at which it did.
    const next = isFull ? page.at(-1)?.id : edge && `${edge.id}~`;
    return { runs: page.map(summaryFromRow), nextCursor: next === undefined ? null : encodeCursor(next) };
  });
}

type SummaryRow = RunsTable & { [K in Exclude<keyof RunFactsTable, "run_id">]: RunFactsTable[K] };

function summaryFromRow(row: SummaryRow): RunSummary {
  const run = runFromRow(row);
  return {
    ...run,
    agent: row.agent,
    durationMs: durationOf(run),
    costUsd: row.micro_usd === null ? null : Number(row.micro_usd) / 1e6,
    inputTokens: row.input_tokens === null ? null : Number(row.input_tokens),
    outputTokens: row.output_tokens === null ? null : Number(row.output_tokens),
  };
}

function durationOf({ createdAt, endedAt }: Run): number | null {
  return endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(createdAt));
}

export function encodeCursor(id: string): string {
  return Buffer.from(`1:${id}`).toString("base64url");
}

export function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (text.startsWith("1:run_")) return text.slice(2);
  throw new DrydockError(
    "input.invalid",
    `"${cursor}" is not a cursor of this ledger.`,
    "Pass on the nextCursor of the page before, or none for the first page.",
  );
}
