import { type RawBuilder, sql } from "kysely";

/** The full-text index of a base. Its name is made of a number of ours, never of what somebody wrote. */
export function wordsTable(base: number): RawBuilder<unknown> {
  if (!Number.isSafeInteger(base)) throw new Error(`${base} is no key of a knowledge base.`);
  return sql.table(`knowledge_words_${base}`);
}
