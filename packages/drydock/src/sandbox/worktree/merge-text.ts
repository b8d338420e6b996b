import { isText } from "../../base/text/index.ts";

/** Larger ones are hardly written by hand. */
export const MAX_MERGE_BYTES = 2 * 1024 * 1024;
/** Of the part that differs. Comparing takes the square of it, and of how often one line comes again. */
const MAX_MERGE_LINES = 10_000;
const MAX_EQUAL_PAIRS = 2_000_000;

export function isMergeable(bytes: Buffer): boolean {
  return bytes.length <= MAX_MERGE_BYTES && isText(bytes);
}

/** Both changes of one text, line by line; null where they touch the same lines differently, or where one is no text. */
export async function mergeText(base: Buffer, ours: Buffer, theirs: Buffer): Promise<Buffer | null> {
  if (![base, ours, theirs].every(isMergeable)) return null;
  const texts = [base, ours, theirs].map((bytes) => bytes.toString("utf8").split("\n"));
  const before = countShared(texts, (lines, at) => lines[at]);
  const rest = texts.map((lines) => lines.slice(before));
  const after = countShared(rest, (lines, at) => lines[lines.length - 1 - at]);
  const [o = [], a = [], b = []] = rest.map((lines) => lines.slice(0, lines.length - after));
  if ([o, a, b].some((lines) => lines.length > MAX_MERGE_LINES)) return null;
  if (countEqualPairs(o, a) > MAX_EQUAL_PAIRS || countEqualPairs(o, b) > MAX_EQUAL_PAIRS) return null;
  const { diff3Merge } = await import("node-diff3");
  const merged: string[][] = [];
  for (const region of diff3Merge(a, o, b, { excludeFalseConflicts: true })) {
    if (!region.ok) return null;
    merged.push(region.ok);
  }
  const around = texts[0] ?? [];
  const lines = [around.slice(0, before), ...merged, around.slice(around.length - after)].flat();
  return Buffer.from(lines.join("\n"));
}

function countShared(texts: string[][], pick: (lines: string[], at: number) => string | undefined): number {
  const [first = [], ...others] = texts;
  const most = Math.min(...texts.map((lines) => lines.length));
  let count = 0;
  while (count < most && others.every((lines) => pick(lines, count) === pick(first, count))) count += 1;
  return count;
}

function countEqualPairs(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of left) counts.set(line, (counts.get(line) ?? 0) + 1);
  return right.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
