import { type Layer, type LayerDelta, LayerEntry } from "@drydock/protocol";
import { comparePaths } from "../sandbox/index.ts";

const ENTRY_KEYS = LayerEntry.keyof().options;

/** What sets a layer apart from an earlier one. Both have their entries in the order of their paths. */
export function describeDelta(layer: Layer, earlier: Layer, onto: string): LayerDelta {
  const entries: LayerEntry[] = [];
  const without: string[] = [];
  let next = 0;
  for (const entry of layer.entries) {
    let was = earlier.entries[next];
    if (was === entry) {
      next++;
      continue;
    }
    for (; was && comparePaths(was.path, entry.path) < 0; was = earlier.entries[++next]) without.push(was.path);
    if (was?.path === entry.path) next++;
    if (was?.path !== entry.path || !isSameEntry(was, entry)) entries.push(entry);
  }
  for (const was of earlier.entries.slice(next)) without.push(was.path);
  return { ...layer, version: 2, entries, onto, without };
}

export function applyDelta({ onto: _, without, ...layer }: LayerDelta, earlier: Layer): Layer {
  const byPath = new Map(earlier.entries.map((entry) => [entry.path, entry]));
  for (const path of without) byPath.delete(path);
  for (const entry of layer.entries) byPath.set(entry.path, entry);
  const entries = [...byPath.values()].sort((left, right) => comparePaths(left.path, right.path));
  return { ...layer, version: 1, entries };
}

function isSameEntry(left: LayerEntry, right: LayerEntry): boolean {
  return left === right || ENTRY_KEYS.every((key) => left[key] === right[key]);
}
