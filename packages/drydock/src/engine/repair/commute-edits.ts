import type { SourceEdit } from "./workshop.ts";

/**
 * Edits of which each counts in the text that the ones before it left, as edits of the text before all of them, in the order
 * of their places. Null where two of them touch: then their order matters.
 */
export function commuteEdits(edits: readonly SourceEdit[]): SourceEdit[] | null {
  const placed: SourceEdit[] = [];
  for (const edit of edits) {
    let moved = 0;
    let at = 0;
    for (const [index, before] of placed.entries()) {
      if (before.path !== edit.path) continue;
      const start = before.start + moved;
      const end = start + before.replacement.length;
      if (edit.end < start) break;
      if (edit.start <= end) return null;
      moved += before.replacement.length - (before.end - before.start);
      at = index + 1;
    }
    placed.splice(at, 0, { ...edit, start: edit.start - moved, end: edit.end - moved });
  }
  return placed.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.start - b.start));
}

/** The same for two lists of edits that are the same change in another order. */
export function keyOfEdits(edits: readonly SourceEdit[]): string {
  return JSON.stringify(
    (commuteEdits(edits) ?? edits).map(({ path, start, end, replacement }) => [path, start, end, replacement]),
  );
}

/** Two changes of the same text as one, its last place first: then none of them moves another. Null where they touch. */
export function joinEdits(one: readonly SourceEdit[], other: readonly SourceEdit[]): SourceEdit[] | null {
  const [first, second] = [commuteEdits(one), commuteEdits(other)];
  if (first === null || second === null) return null;
  const joined = [...first, ...second].toSorted((a, b) => b.start - a.start);
  return commuteEdits(joined) === null ? null : joined;
}
