import type { ChangeKind, LayerEntry } from "@drydock/protocol";
import type { JudgedEntry, JudgedTree } from "./judged-tree.ts";

export interface ChangedPath {
  path: string;
  kind: ChangeKind;
}

/** What differs between two trees, in order of the paths. A directory by itself is nothing: its files tell of it. */
export function listChangedPaths(before: JudgedTree, tree: JudgedTree): ChangedPath[] {
  if (before.treeHash === tree.treeHash) return [];
  const changed: ChangedPath[] = [];
  for (const path of listCandidates(before, tree)) {
    const [was, is] = [before.lookup(path), tree.lookup(path)];
    if (isSameEntry(was, is)) continue;
    changed.push({ path, kind: was === undefined ? "added" : is === undefined ? "deleted" : "changed" });
  }
  return changed;
}

/** Over the same directory only what one of the layers names can differ; else every path is looked at. */
function listCandidates(before: JudgedTree, tree: JudgedTree): string[] {
  if (baseOf(before) === baseOf(tree)) return differing(before.layer?.entries ?? [], tree.layer?.entries ?? []).sort();
  const paths = new Set<string>();
  for (const side of [before, tree]) for (const path of side.paths()) paths.add(path);
  return [...paths].sort();
}

/** What both layers say the same of is the same in both trees: a long chain of tasks shares most of it. */
export function differing(before: readonly LayerEntry[], after: readonly LayerEntry[]): string[] {
  const left = new Map(before.map((entry) => [entry.path, entry]));
  const paths: string[] = [];
  for (const entry of after) {
    const was = left.get(entry.path);
    left.delete(entry.path);
    const isSame =
      was?.kind === entry.kind &&
      was.type === entry.type &&
      was.mode === entry.mode &&
      was.sha256 === entry.sha256 &&
      was.target === entry.target;
    if (!isSame) paths.push(entry.path);
  }
  return [...paths, ...left.keys()];
}

function baseOf({ layer, treeHash }: JudgedTree): string {
  return layer?.baseHash ?? treeHash;
}

function isSameEntry(was: JudgedEntry | undefined, is: JudgedEntry | undefined): boolean {
  if (was === undefined || is === undefined) return was === is || (was ?? is)?.type === "directory";
  if (was.type !== is.type) return false;
  if (was.type === "directory") return true;
  return was.mode === is.mode && was.sha256 === is.sha256 && was.target === is.target;
}
