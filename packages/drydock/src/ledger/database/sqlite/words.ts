import { sql } from "kysely";
import { toMatchQuery } from "../../knowledge/index-words.ts";
import type { FoundChunk } from "../../knowledge/knowledge-store.ts";
import { toCondition } from "../../knowledge/search-filters.ts";
import { TITLE_WEIGHT, type WordIndex } from "../../knowledge/word-index.ts";
import { wordsTable } from "../words-table.ts";

/** FTS5: a table of its own for each base, without content, because the passages are in `knowledge_chunks`. */
export const SQLITE_WORDS: WordIndex = {
  async create(trx, base) {
    await sql`create virtual table ${wordsTable(base)} using fts5(title, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`.execute(
      trx,
    );
  },
  async drop(trx, base) {
    await sql`drop table ${wordsTable(base)}`.execute(trx);
  },
  async prepareInsert(trx, base) {
    const insert = sql`insert into ${wordsTable(base)} (rowid, title, body) values (${0}, ${""}, ${""})`.compile(trx);
    return async ({ chunk, title, body }) => {
      await trx.executeQuery({ ...insert, parameters: [chunk, title, body] });
    };
  },
  async removeDocument(trx, base, document) {
    await sql`delete from ${wordsTable(base)}
      where rowid in (select seq from knowledge_chunks where document = ${document})`.execute(trx);
  },
  async search(db, { base, question, limit, filters }) {
    const match = toMatchQuery(question);
    if (match === null) return [];
    const table = wordsTable(base);
    const { rows } = await sql<FoundChunk>`
      select c.seq as chunk, d.source, c.text, c.position, -bm25(${table}, ${TITLE_WEIGHT}, 1.0) as score
      from ${table}
      join knowledge_chunks c on c.seq = ${table}.rowid
      join knowledge_documents d on d.seq = c.document
      where ${table} match ${match} and ${toCondition(filters)}
      order by score desc, chunk
      limit ${limit}`.execute(db);
    return rows;
  },
};
