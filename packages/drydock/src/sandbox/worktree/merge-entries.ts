import type { LayerEntry } from "@drydock/protocol";
import { mergeText } from "./merge-text.ts";
import type { TreeContents } from "./worktree.ts";

/** Reads a content by its hash, wherever it still is; null: nowhere. */
export type FindContent = (sha256: string, path: string) => Promise<Buffer | null>;

/** Whether both leave the same at their path. */
export function isSameOutcome(left: LayerEntry, right: LayerEntry): boolean {
  if (left.kind === "deleted" || right.kind === "deleted") return left.kind === right.kind;
  return (
    left.type === right.type && left.mode === right.mode && left.sha256 === right.sha256 && left.target === right.target
  );
}

/**
 * Two changes of one path over the same base (which both describe in their `was` fields) as one; null: they can't both be
 * had.
 */
export async function mergeEntries(
  ours: LayerEntry,
  theirs: LayerEntry,
  find: FindContent,
  contents: TreeContents,
): Promise<LayerEntry | null> {
  if (isSameOutcome(ours, theirs)) return ours;
  if (ours.kind !== "changed" || theirs.kind !== "changed") return null;
  if (ours.type !== theirs.type || ours.type !== ours.wasType) return null;
  const mode = pickChanged(ours.wasMode ?? -1, ours.mode, theirs.mode);
  if (mode === null) return null;
  if (ours.type !== "file") return ours.target === theirs.target ? { ...ours, mode } : null;
  const [was, left, right] = [ours.wasSha256, ours.sha256, theirs.sha256];
  const sha256 = pickChanged(was, left, right);
  if (sha256 !== null) return { ...(sha256 === left ? ours : theirs), mode };
  if (was === undefined || left === undefined || right === undefined) return null;
  const [base, one, other] = await Promise.all([was, left, right].map((content) => find(content, ours.path)));
  const merged = base && one && other ? await mergeText(base, one, other) : null;
  return merged && { ...ours, mode, ...(await contents.put(merged)) };
}

/** The one that differs from what was; null where both do, and differently. */
function pickChanged<T>(was: T, left: T, right: T): T | null {
  if (left === right || right === was) return left;
  return left === was ? right : null;
}
