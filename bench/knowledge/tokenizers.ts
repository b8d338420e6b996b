/** Which tokenizer of the full-text index finds the right document first: `node --conditions=drydock-source bench/knowledge/tokenizers.ts`. */
import { DatabaseSync } from "node:sqlite";
import { toIndexedText, toMatchQuery } from "../../packages/drydock/src/ledger/knowledge/index-words.ts";
import { DOCUMENTS, QUERIES } from "./corpus.ts";

interface Way {
  tokenize: string;
  index(text: string): string;
  match(query: string): string | null;
}

const quoteWords = (query: string) =>
  (query.match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => `"${word}"`).join(" OR ") || null;
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const segment = (text: string) =>
  Array.from(segmenter.segment(text), ({ segment: word, isWordLike }) => (isWordLike ? word : " ")).join(" ");
const trigrams = (query: string) => {
  const found = [...new Set((query.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap(listTrigrams))];
  return found.map((part) => `"${part}"`).join(" OR ") || null;
};
const plain = (text: string) => text;
const UNICODE = "unicode61 remove_diacritics 2";

const WAYS: Readonly<Record<string, Way>> = {
  unicode61: { tokenize: UNICODE, index: plain, match: quoteWords },
  trigram: { tokenize: "trigram remove_diacritics 1", index: plain, match: trigrams },
  "words by ICU": { tokenize: UNICODE, index: segment, match: (query) => quoteWords(segment(query)) },
  "unicode61, pairs of letters": { tokenize: UNICODE, index: toIndexedText, match: toMatchQuery },
  "porter unicode61, pairs of letters": { tokenize: `porter ${UNICODE}`, index: toIndexedText, match: toMatchQuery },
};

function listTrigrams(word: string): string[] {
  const letters = [...word.toLowerCase()];
  return letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`);
}

function measure({ tokenize, index, match }: Way): { first: number; three: number; bytes: number } {
  const db = new DatabaseSync(":memory:");
  db.exec(`create virtual table t using fts5(body, content='', tokenize='${tokenize}')`);
  const insert = db.prepare("insert into t (rowid, body) values (?, ?)");
  for (const [row, text] of Object.values(DOCUMENTS).entries()) insert.run(row + 1, index(text));
  const names = Object.keys(DOCUMENTS);
  const search = db.prepare("select rowid from t where t match ? order by bm25(t) limit 3");
  let [first, three] = [0, 0];
  for (const [query, wanted] of QUERIES) {
    const words = match(query);
    const found = words === null ? [] : search.all(words).map((row) => names[Number(row.rowid) - 1]);
    if (found[0] === wanted) first++;
    if (found.includes(wanted)) three++;
  }
  const { bytes } = db.prepare("select sum(length(block)) as bytes from t_data").get() as { bytes: number };
  db.close();
  return { first, three, bytes };
}

console.log(`| index | first of ${QUERIES.length} | among three | bytes |\n|---|---|---|---|`);
for (const [name, way] of Object.entries(WAYS)) {
  const { first, three, bytes } = measure(way);
  console.log(`| ${name} | ${first} | ${three} | ${bytes} |`);
}
