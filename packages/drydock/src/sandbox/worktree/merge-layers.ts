import type { Layer, LayerEntry } from "@drydock/protocol";
import { comparePaths } from "../layers/index.ts";
import { type FindContent, mergeEntries } from "./merge-entries.ts";
import type { TreeContents } from "./worktree.ts";

export interface Union {
  entries: Map<string, LayerEntry>;
  conflicts: Set<string>;
}

/** The changes of layers over one base, combined in the order of the list. */
export async function uniteLayers(layers: readonly Layer[], find: FindContent, contents: TreeContents): Promise<Union> {
  const entries = new Map<string, LayerEntry>();
  const conflicts = new Set<string>();
  for (const layer of layers) {
    for (const entry of layer.entries) {
      const known = entries.get(entry.path);
      const merged = known ? await mergeEntries(known, entry, find, contents) : entry;
      if (merged) entries.set(entry.path, merged);
      else conflicts.add(entry.path);
    }
  }
  for (const path of findMisplaced(entries, conflicts)) conflicts.add(path);
  return { entries, conflicts };
}

/** What lies below a path that another layer deleted, or made something else than a directory. */
function findMisplaced(entries: ReadonlyMap<string, LayerEntry>, known: ReadonlySet<string>): string[] {
  const misplaced: string[] = [];
  for (const { path, kind } of entries.values()) {
    if (kind === "deleted") continue;
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const above = entries.get(path.slice(0, at));
      if (above && !known.has(above.path) && (above.kind === "deleted" || above.type !== "directory"))
        misplaced.push(path);
    }
  }
  return misplaced;
}

export function sortPaths(paths: Iterable<string>): string[] {
  return [...new Set(paths)].sort(comparePaths);
}
