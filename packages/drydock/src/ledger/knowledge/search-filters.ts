import type { KnowledgeFilters } from "@drydock/protocol";
import { type RawBuilder, sql } from "kysely";

/** A condition on the document `d`. */
export function toCondition({ source, format }: KnowledgeFilters = {}): RawBuilder<unknown> {
  const formats = format === undefined ? [] : [format].flat();
  const prefixes = source === undefined ? [] : [source].flat();
  const ofFormat = formats.length === 0 ? sql`1 = 1` : sql`d.format in (${sql.join(formats)})`;
  // A prefix is literal: its signs are no pattern.
  const begins = prefixes.map((prefix) => sql`substr(d.source, 1, length(${prefix})) = ${prefix}`);
  return begins.length === 0 ? ofFormat : sql`${ofFormat} and (${sql.join(begins, sql` or `)})`;
}
