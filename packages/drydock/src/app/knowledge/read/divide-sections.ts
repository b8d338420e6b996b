import type { NewChunk } from "../../../ledger/index.ts";
import { documentError } from "./document-error.ts";
import type { Section } from "./section.ts";

/** A passage has at most so many characters: some 250 words, or a screen. */
const MOST_CHARS = 1200;
const LEAST_CHARS = 400;
const MAX_CHUNKS = 50_000;
/** Where a passage may end, the best places first. */
const ENDS = [/\n\s*\n/g, /\n/g, /[.!?]\s|[。！？]/g, /\s/g];

/** Divides sections into passages that can be found and shown, each with its place. */
export function divideSections(sections: readonly Section[]): NewChunk[] {
  const chunks: NewChunk[] = [];
  for (const { text, start, line, ...place } of sections) {
    let at = 0;
    let lines = 0;
    while (at < text.length) {
      const end = findEnd(text, at);
      const passage = text.slice(at, end);
      const body = passage.trim();
      if (body !== "") {
        const first = at + passage.indexOf(body);
        const position = { start: start + first, end: start + first + body.length, ...place };
        const row = line === undefined || place.rows ? line : line + lines + countLines(text, at, first);
        chunks.push({ text: body, position: { ...position, ...(row !== undefined && { line: row }) } });
      }
      if (chunks.length > MAX_CHUNKS)
        throw documentError(`The document has more than ${MAX_CHUNKS} passages.`, "Divide it into several files.");
      lines += countLines(text, at, end);
      at = end;
    }
  }
  return chunks;
}

function findEnd(text: string, at: number): number {
  if (text.length - at <= MOST_CHARS) return text.length;
  const window = text.slice(at, at + MOST_CHARS);
  for (const pattern of ENDS) {
    let end = -1;
    for (const found of window.matchAll(pattern)) end = found.index + found[0].length;
    if (end >= LEAST_CHARS) return at + end;
  }
  // Both halves of a character that takes two stay together.
  const code = text.charCodeAt(at + MOST_CHARS - 1);
  return at + MOST_CHARS - (code >= 0xd800 && code <= 0xdbff ? 1 : 0);
}

function countLines(text: string, from: number, until: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < until; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
