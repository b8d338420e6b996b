import type { ChangeKind } from "@drydock/protocol";
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
  const paths = new Set<string>();
  if (baseOf(before) === baseOf(tree)) {
    for (const { layer } of [before, tree]) for (const entry of layer?.entries ?? []) paths.add(entry.path);
  } else {
    for (const side of [before, tree]) for (const path of side.paths()) paths.add(path);
  }
  return [...paths].sort();
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
