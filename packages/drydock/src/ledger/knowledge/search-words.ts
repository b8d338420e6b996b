import type { KnowledgeFilters } from "@drydock/protocol";
import { type RawBuilder, sql } from "kysely";
import { type LedgerContext, read } from "../ledger-context.ts";
import { toMatchQuery } from "./index-words.ts";
import type { FoundChunk } from "./knowledge-store.ts";
import { wordsTable } from "./words-table.ts";

export interface WordSearch {
  base: number;
  question: string;
  limit: number;
  filters?: KnowledgeFilters;
}

/** A word in the name of a document, or in a heading, counts more than one in its text. */
const TITLE_WEIGHT = 2;

export async function searchWords(
  context: LedgerContext,
  { base, question, limit, filters }: WordSearch,
): Promise<FoundChunk[]> {
  const match = toMatchQuery(question);
  if (match === null) return [];
  const table = wordsTable(base);
  const query = sql<FoundChunk>`
    select c.seq as chunk, d.source, c.text, c.position, -bm25(${table}, ${TITLE_WEIGHT}, 1.0) as score
    from ${table}
    join knowledge_chunks c on c.seq = ${table}.rowid
    join knowledge_documents d on d.seq = c.document
    where ${table} match ${match} and ${toCondition(filters)}
    order by score desc, chunk
    limit ${limit}`;
  return (await read(context, (db) => query.execute(db))).rows;
}

/** A condition on the document `d`. */
export function toCondition({ source, format }: KnowledgeFilters = {}): RawBuilder<unknown> {
  const formats = format === undefined ? [] : [format].flat();
  const prefixes = source === undefined ? [] : [source].flat();
  const ofFormat = formats.length === 0 ? sql`1 = 1` : sql`d.format in (${sql.join(formats)})`;
  // A prefix is literal: its signs are no pattern.
  const begins = prefixes.map((prefix) => sql`substr(d.source, 1, length(${prefix})) = ${prefix}`);
  return begins.length === 0 ? ofFormat : sql`${ofFormat} and (${sql.join(begins, sql` or `)})`;
}
