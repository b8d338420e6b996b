import { structuredPatch } from "diff";

/** Comparing takes the square of what differs; beyond it, the whole file counts as changed. */
const MAX_EDIT_LENGTH = 5000;

/** The lines of `after` that are new or changed, as ranges with both ends; null: all of them. */
export function findChangedLines(before: string | null, after: string): [from: number, to: number][] | null {
  if (before === null) return null;
  const patch = structuredPatch("a", "b", before, after, undefined, undefined, {
    context: 0,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  if (!patch) return null;
  return patch.hunks
    .filter(({ newLines }) => newLines > 0)
    .map(({ newStart, newLines }) => [newStart, newStart + newLines - 1]);
}
