import { type RawBuilder, sql } from "kysely";
import { isBeginning, listTerms } from "../../knowledge/index-words.ts";
import type { FoundChunk } from "../../knowledge/knowledge-store.ts";
import { toCondition } from "../../knowledge/search-filters.ts";
import { TITLE_WEIGHT, type WordIndex } from "../../knowledge/word-index.ts";
import { wordsTable } from "../words-table.ts";

/** English stems without a list of words to leave out: a question may be about such a word. */
const CONFIGURE = sql`do $$ begin
  if not exists (select from pg_ts_config where cfgname = 'drydock_words' and pg_ts_config_is_visible(oid)) then
    create text search dictionary drydock_stems (template = snowball, language = english);
    create text search configuration drydock_words (copy = simple);
    alter text search configuration drydock_words alter mapping
      for asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart
      with drydock_stems;
  end if;
end $$`;
/** Of a word in the text, and in the title. */
const WEIGHTS = `{${1 / TITLE_WEIGHT}, ${1 / TITLE_WEIGHT}, ${1 / TITLE_WEIGHT}, 1}`;
/** A long passage has more words by chance: its rank is divided by the logarithm of its length. */
const BY_LENGTH = 1;

/** A `tsvector` for each passage, in a table of its own for each base. */
export const POSTGRES_WORDS: WordIndex = {
  async create(trx, base) {
    await CONFIGURE.execute(trx);
    await sql`create table ${wordsTable(base)} (chunk bigint primary key, words tsvector not null)`.execute(trx);
    await sql`create index on ${wordsTable(base)} using gin (words)`.execute(trx);
  },
  async drop(trx, base) {
    await sql`drop table ${wordsTable(base)}`.execute(trx);
  },
  async prepareInsert(trx, base) {
    const insert = sql`insert into ${wordsTable(base)} (chunk, words) values (${0},
      setweight(to_tsvector('drydock_words', ${""}), 'A') || setweight(to_tsvector('drydock_words', ${""}), 'D'))`;
    const compiled = insert.compile(trx);
    return async ({ chunk, title, body }) => {
      await trx.executeQuery({ ...compiled, parameters: [chunk, listWords(title), listWords(body)] });
    };
  },
  async removeDocument(trx, base, document) {
    await sql`delete from ${wordsTable(base)}
      where chunk in (select seq from knowledge_chunks where document = ${document})`.execute(trx);
  },
  async search(db, { base, question, limit, filters }) {
    const terms = listTerms(question).flatMap((term) => toQuery(term) ?? []);
    if (terms.length === 0) return [];
    // A rare word says more than a frequent one: its rank counts by the logarithm of how rare it is, as in BM25.
    const { rows } = await sql<FoundChunk>`
      with terms as (
        select query, (select count(*) from ${wordsTable(base)} w where w.words @@ query) as found,
          (select count(*) from ${wordsTable(base)}) as passages
        from unnest(array[${sql.join(terms)}]) as query where numnode(query) > 0
      ), best as (
        select w.chunk, sum(
          ln(1 + (t.passages - t.found + 0.5) / (t.found + 0.5))::float8
          * ts_rank(${WEIGHTS}::real[], w.words, t.query, ${sql.lit(BY_LENGTH)})
        ) as score
        from terms t
        join ${wordsTable(base)} w on w.words @@ t.query
        join knowledge_chunks c on c.seq = w.chunk
        join knowledge_documents d on d.seq = c.document
        where ${toCondition(filters)}
        group by w.chunk order by score desc, w.chunk limit ${limit}
      )
      select b.chunk, d.source, c.text, c.position, b.score
      from best b
      join knowledge_chunks c on c.seq = b.chunk
      join knowledge_documents d on d.seq = c.document
      order by b.score desc, b.chunk`.execute(db);
    return rows;
  },
};

/** The words of one term stand side by side: `max_size` is two. */
function toQuery(term: string): RawBuilder<unknown> | null {
  const words = listWords(term);
  if (words === "") return null;
  return isBeginning(term)
    ? sql`to_tsquery('drydock_words', ${`${words}:*`})`
    : sql`phraseto_tsquery('drydock_words', ${words})`;
}

const MARKS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Lower case and without accents, with nothing between words that the server's parser would read as an address or a path. */
function listWords(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(MARKS, "").normalize("NFKC").toLowerCase();
  return (plain.match(WORD) ?? []).join(" ");
}
