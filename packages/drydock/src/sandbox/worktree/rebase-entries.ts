import type { Layer, LayerEntry } from "@drydock/protocol";
import { joinPath, type Snapshot, type SnapshotEntry } from "../layers/index.ts";
import { type FindContent, isSameOutcome, mergeEntries } from "./merge-entries.ts";
import type { Union } from "./merge-layers.ts";
import type { TreeContents } from "./worktree.ts";

/**
 * A layer's changes over a directory that has changed since it was made. Where its paths are as they were, nothing has to
 * be done; where somebody changed the same file, both changes are merged if they are of different lines.
 */
export async function rebaseEntries(
  layer: Pick<Layer, "entries">,
  snapshot: Snapshot,
  find: FindContent,
  contents: TreeContents,
): Promise<Union> {
  const entries = new Map<string, LayerEntry>();
  const conflicts = new Set<string>();
  const touched = new Set(layer.entries.map(({ path }) => path));
  for (const entry of layer.entries) {
    const { path } = entry;
    const theirs = describeChange(entry, snapshot.lookup(path));
    if (!theirs) {
      if (entry.kind !== "deleted" && !hasPlace(snapshot, path, touched)) conflicts.add(path);
      else entries.set(path, entry);
    } else if (!isSameOutcome(entry, theirs)) {
      const merged = await mergeEntries(theirs, entry, find, contents);
      if (merged) entries.set(path, merged);
      else conflicts.add(path);
    }
    if (entry.kind === "deleted" || entry.type !== "directory") {
      for (const fresh of findUntouched(snapshot, path, touched)) conflicts.add(fresh);
    }
  }
  return { entries, conflicts };
}

/** What happened in the directory to the path since the layer was made; undefined: nothing. */
function describeChange(entry: LayerEntry, now: SnapshotEntry | undefined): LayerEntry | undefined {
  const { path, wasType, wasMode, wasSha256, wasTarget } = entry;
  const was = { path, wasType, wasMode, wasSha256, wasTarget };
  if (!now) return wasType && { ...was, kind: "deleted", type: wasType, mode: wasMode ?? 0 };
  if (!wasType) return { path, kind: "added", ...now };
  const same = now.type === wasType && now.mode === wasMode && now.sha256 === wasSha256 && now.target === wasTarget;
  return same ? undefined : { ...was, kind: "changed", ...now };
}

/** Whether the directory around a path is still there, or is one that the layer brings along. */
function hasPlace(snapshot: Snapshot, path: string, touched: ReadonlySet<string>): boolean {
  const cut = path.lastIndexOf("/");
  if (cut < 0) return true;
  const parent = path.slice(0, cut);
  return touched.has(parent) || snapshot.lookup(parent)?.type === "directory";
}

/** What is new in a directory that the layer takes away. */
function findUntouched(snapshot: Snapshot, path: string, touched: ReadonlySet<string>): string[] {
  const names = snapshot.children(path) ?? [];
  return names.map((name) => joinPath(path, name)).filter((child) => !touched.has(child));
}
