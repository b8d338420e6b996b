import type { Change, LayerEntry } from "@drydock/protocol";
import { EMPTY_SHA256 } from "./tree.ts";

/**
 * The short list for people and results: files, symlinks, and those directories that no listed path already tells of
 * (empty ones, and ones whose mode changed). A renamed file is still both a deleted path and an added one.
 */
export function layerChanges(layer: { entries: readonly LayerEntry[] }): Change[] {
  const renames = findRenames(layer);
  const parents = new Set<string>();
  for (const { path } of layer.entries) {
    const cut = path.lastIndexOf("/");
    if (cut > 0) parents.add(path.slice(0, cut));
  }
  const changes: Change[] = [];
  for (const { path, kind, type } of layer.entries) {
    if (type === "directory" && kind !== "changed" && parents.has(path)) continue;
    const renamedFrom = renames.get(path);
    changes.push({ path, kind, ...(renamedFrom !== undefined && { renamedFrom }) });
  }
  return changes;
}

/** Added path to deleted path of the same content; each deleted file is used once, one of the same name first. */
export function findRenames(layer: { entries: readonly LayerEntry[] }): Map<string, string> {
  const deleted = new Map<string, LayerEntry[]>();
  for (const entry of layer.entries) {
    const { kind, wasSha256 } = entry;
    if (kind !== "deleted" || wasSha256 === undefined || wasSha256 === EMPTY_SHA256) continue;
    const same = deleted.get(wasSha256);
    if (same) same.push(entry);
    else deleted.set(wasSha256, [entry]);
  }
  const renames = new Map<string, string>();
  const added = layer.entries.filter((entry) => entry.kind === "added" && entry.type === "file");
  for (const byName of [true, false]) {
    for (const { path, sha256 } of added) {
      const candidates = sha256 === undefined || renames.has(path) ? undefined : deleted.get(sha256);
      const at = candidates?.findIndex((entry) => !byName || nameOf(entry.path) === nameOf(path)) ?? -1;
      const [source] = at < 0 ? [] : (candidates?.splice(at, 1) ?? []);
      if (source) renames.set(path, source.path);
    }
  }
  return renames;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
