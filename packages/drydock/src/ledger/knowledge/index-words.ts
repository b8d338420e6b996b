/**
 * Words of the full-text index. SQLite's tokenizer takes a run of letters for one word. Scripts that put no spaces between
 * words are therefore indexed as overlapping pairs of letters, and the last letter: 東京都 becomes 東京 京都 都.
 */
const UNSPACED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+)/u;
/** A word of other scripts, with the signs that join its parts: `max_size`, `well-known`, `3.14`. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_.'’@-]*/gu;
const MAX_TERMS = 64;

export function toIndexedText(text: string): string {
  const parts = text.normalize("NFKC").split(UNSPACED);
  return parts.map((part, index) => (index % 2 === 0 ? part : ` ${listPairs(part, true).join(" ")} `)).join("");
}

/**
 * A question as a query of FTS5, or null where it has no words. Each word is quoted, so that nothing in it is syntax. A
 * passage needs one of them; those with more of them, and with rarer ones, rank higher.
 */
export function toMatchQuery(question: string): string | null {
  const terms = listTerms(question);
  return terms.length === 0 ? null : terms.map(quote).join(" OR ");
}

/** The words of a question: in unspaced scripts, the pairs of letters. */
export function listTerms(question: string): string[] {
  const terms = new Set<string>();
  const parts = question.normalize("NFKC").toLowerCase().split(UNSPACED);
  for (const [index, part] of parts.entries()) {
    const found = index % 2 === 0 ? (part.match(WORD) ?? []) : listPairs(part, false);
    for (const term of found) if (terms.size < MAX_TERMS) terms.add(term);
  }
  return [...terms];
}

function listPairs(run: string, withLast: boolean): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  const pairs = letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
  return withLast ? [...pairs, letters.at(-1) ?? ""] : pairs;
}

/** One letter of an unspaced script stands for all pairs that begin with it. */
export function isBeginning(term: string): boolean {
  return [...term].length === 1 && UNSPACED.test(term);
}

function quote(term: string): string {
  const quoted = `"${term.replaceAll('"', '""')}"`;
  return isBeginning(term) ? `${quoted}*` : quoted;
}
