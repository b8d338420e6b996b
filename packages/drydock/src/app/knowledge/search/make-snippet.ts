import { listTerms } from "../../../ledger/index.ts";

const SNIPPET_CHARS = 240;
const BEFORE_CHARS = 40;

/** The part of a passage with the most words of the question, on one line. */
export function makeSnippet(passage: string, question: string): string {
  const text = passage.replace(/\s+/g, " ");
  if (text.length <= SNIPPET_CHARS) return text;
  const folded = text.toLowerCase();
  // A text whose length changes with its case can't be searched by offsets.
  const places = folded.length === text.length ? findPlaces(folded, listTerms(question)) : [];
  let start = 0;
  let most = 0;
  for (const [index, { at }] of places.entries()) {
    const inside = places.slice(index).filter((other) => other.at < at + SNIPPET_CHARS - BEFORE_CHARS);
    const count = new Set(inside.map(({ term }) => term)).size;
    if (count > most) [most, start] = [count, Math.max(0, at - BEFORE_CHARS)];
  }
  start = Math.min(start, text.length - SNIPPET_CHARS);
  const end = start + SNIPPET_CHARS;
  const part = text.slice(toBoundary(text, start), toBoundary(text, end));
  return `${start > 0 ? "…" : ""}${part.trim()}${end < text.length ? "…" : ""}`;
}

function findPlaces(text: string, terms: readonly string[]): { at: number; term: string }[] {
  const places: { at: number; term: string }[] = [];
  for (const term of terms)
    for (let at = text.indexOf(term); at !== -1 && places.length < 500; at = text.indexOf(term, at + 1))
      places.push({ at, term });
  return places.sort((a, b) => a.at - b.at);
}

/** Not between the halves of a character that takes two. */
function toBoundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
