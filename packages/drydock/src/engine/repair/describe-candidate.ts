import { createHash } from "node:crypto";
import { applySplices } from "../source/splice.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";
import type { RepairCandidate, RepairWrite } from "./repair-types.ts";
import type { SourceEdit, TriedCandidate } from "./workshop.ts";

/** The changed files of a candidate. */
export async function toWrites(tree: JudgedTree, edits: readonly SourceEdit[]): Promise<RepairWrite[]> {
  const texts = new Map<string, string>();
  const hashes = new Map<string, string>();
  for (const edit of edits) {
    const text = texts.get(edit.path) ?? (await tree.read(edit.path))?.toString() ?? "";
    if (!hashes.has(edit.path)) hashes.set(edit.path, hashText(text));
    texts.set(edit.path, applySplices(text, [edit]));
  }
  return [...texts].map(([path, content]) => ({ path, content, wasSha256: hashes.get(path) }));
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A candidate as the caller sees it. */
export async function describeCandidate(
  tree: JudgedTree,
  { candidate, trial }: TriedCandidate,
  tests: number,
): Promise<RepairCandidate> {
  const counts = { passing: Math.max(0, tests - trial.failing), failing: trial.failing };
  if (candidate.known) return { ...candidate.known, tests: counts, group: null };
  const { createTwoFilesPatch } = await import("diff");
  const writes = await toWrites(tree, candidate.edits);
  const diffs: string[] = [];
  for (const { path, content } of writes) {
    const before = (await tree.read(path))?.toString() ?? "";
    const options = {
      context: 3,
      headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
    };
    diffs.push(createTwoFilesPatch(`a/${path}`, `b/${path}`, before, content, undefined, undefined, options));
  }
  return {
    edits: candidate.edits.length,
    writes,
    diff: diffs.join(""),
    summary: await summarize(tree, candidate.edits),
    tests: counts,
    group: null,
  };
}

const MAX_CHARS = 60;

/** What the edits do, in a few words. */
async function summarize(tree: JudgedTree, edits: readonly SourceEdit[]): Promise<string> {
  const texts = new Map<string, string>();
  const parts: string[] = [];
  for (const edit of edits) {
    const text = texts.get(edit.path) ?? (await tree.read(edit.path))?.toString() ?? "";
    texts.set(edit.path, applySplices(text, [edit]));
    const line = text.slice(0, edit.start).split("\n").length;
    parts.push(`line ${line} of ${edit.path}: ${describeChange(text.slice(edit.start, edit.end), edit.replacement)}`);
  }
  return parts.join("; ");
}

function describeChange(before: string, after: string): string {
  const [was, is] = [shorten(before), shorten(after)];
  if (was === "") return `${is} added`;
  if (is === "") return `${was} removed`;
  return `${is} instead of ${was}`;
}

function shorten(text: string): string {
  const plain = text.trim().replace(/\s+/g, " ");
  return plain.length > MAX_CHARS ? `${plain.slice(0, MAX_CHARS).toWellFormed()}…` : plain;
}
