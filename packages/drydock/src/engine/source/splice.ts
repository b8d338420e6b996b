/** Text to put in the place of `start` to `end`: UTF-16 offsets, as in JavaScript's strings. Equal offsets insert. */
export interface Splice {
  start: number;
  end: number;
  replacement: string;
}

/**
 * Applies edits that were all found in the same text. Of two that overlap, the one that starts first wins, and of two
 * that start at the same place the longer one. Insertions at one place keep their order.
 */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = splices
    .filter(({ start, end }) => start >= 0 && start <= end && end <= text.length)
    .toSorted((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start) || b.end - a.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, replacement } of ordered) {
    if (start < at) continue;
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
