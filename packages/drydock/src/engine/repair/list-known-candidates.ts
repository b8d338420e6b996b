import { isUtf8 } from "node:buffer";
import type { Splice } from "../source/splice.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";
import { hashText } from "./describe-candidate.ts";
import type { RepairCandidate } from "./repair-types.ts";
import type { Candidate, SourceEdit } from "./workshop.ts";

/** Changes on record that fit to the tree as it is, as candidates: each of their files is what it was then. */
export async function listKnownCandidates(
  tree: JudgedTree,
  files: readonly string[],
  known: readonly RepairCandidate[],
): Promise<Omit<Candidate, "id">[]> {
  const allowed = new Set(files);
  const fitting: Omit<Candidate, "id">[] = [];
  for (const change of known) {
    const edits = await toEdits(tree, allowed, change);
    // The order of the record is kept.
    if (edits) fitting.push({ edits, score: 1 / (1 + fitting.length / 10), known: change });
  }
  return fitting;
}

/** Null where somebody has changed a file since, or it may not be changed here. */
async function toEdits(
  tree: JudgedTree,
  allowed: ReadonlySet<string>,
  { writes }: RepairCandidate,
): Promise<SourceEdit[] | null> {
  const edits: SourceEdit[] = [];
  for (const { path, content, wasSha256 } of writes) {
    const before = allowed.has(path) ? await tree.read(path) : null;
    const text = before && isUtf8(before) ? before.toString() : undefined;
    if (text === undefined || wasSha256 !== hashText(text) || text === content) return null;
    edits.push({ path, ...spliceBetween(text, content) });
  }
  return edits.length > 0 ? edits : null;
}

/** What lies between the beginning and the end that both have in common. No character is cut in two. */
export function spliceBetween(before: string, after: string): Splice {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  if (isHighSurrogate(before, start - 1)) start -= 1;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  if (isHighSurrogate(before, before.length - same - 1)) same -= 1;
  return {
    start,
    end: before.length - Math.max(0, same),
    replacement: after.slice(start, after.length - Math.max(0, same)),
  };
}

function isHighSurrogate(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at] ?? "");
}
