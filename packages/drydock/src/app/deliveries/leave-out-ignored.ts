import { dirname } from "node:path";
import type { Layer, LayerEntry } from "@drydock/protocol";
import { listIgnored } from "../runs/list-ignored.ts";

/** Longer than any repository needs: what is delivered should not depend on how busy the machine is. */
const GIT_PATIENCE_MS = 60_000;

/**
 * The layer without the files that the run created and that the repository ignores, or that are caches of tools. What was
 * there before the run is delivered, ignored or not. A new directory goes with the files in it.
 */
export async function leaveOutIgnored(
  layer: Layer,
  place: { workspace: string; searchPath: string; signal?: AbortSignal | undefined },
): Promise<{ layer: Layer; ignored: string[] }> {
  const added = layer.entries.filter(({ kind }) => kind === "added");
  if (added.length === 0) return { layer, ignored: [] };
  const found = await listIgnored(
    place.workspace,
    added.map(({ path }) => path),
    { ...place, patienceMs: GIT_PATIENCE_MS },
  );
  const isFile = ({ path, type }: LayerEntry) => type !== "directory" && found.has(path);
  const ignored = added.filter(isFile).map(({ path }) => path);
  if (found.size === 0) return { layer, ignored };
  const kept = layer.entries.filter((entry) => !(entry.kind === "added" && isFile(entry)));
  // A new directory stays out where it is ignored itself, or where nothing but ignored files is in it.
  const needed = listParents(kept.filter(({ kind, type }) => kind !== "added" || type !== "directory"));
  const emptied = listParents(added.filter(isFile));
  const staysOut = ({ path, kind, type }: LayerEntry) =>
    kind === "added" && type === "directory" && !needed.has(path) && (found.has(path) || emptied.has(path));
  return { layer: { ...layer, entries: kept.filter((entry) => !staysOut(entry)) }, ignored };
}

function listParents(entries: readonly LayerEntry[]): Set<string> {
  const parents = new Set<string>();
  for (const { path } of entries) {
    for (let parent = dirname(path); parent !== "." && !parents.has(parent); parent = dirname(parent)) {
      parents.add(parent);
    }
  }
  return parents;
}
