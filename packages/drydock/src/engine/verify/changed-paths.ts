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

/** What both layers say the same of is the same in both trees: a long chain of tasks shares most of it, in the same order. */
export function differing(before: readonly LayerEntry[], after: readonly LayerEntry[]): string[] {
  let start = 0;
  while (start < after.length && isSameChange(before[start], after[start])) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && isSameChange(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const left = new Map(before.slice(start, before.length - end).map((entry) => [entry.path, entry]));
  const paths: string[] = [];
  for (const entry of after.slice(start, after.length - end)) {
    const was = left.get(entry.path);
    left.delete(entry.path);
    if (!isSameChange(was, entry)) paths.push(entry.path);
  }
  return [...paths, ...left.keys()];
}

function isSameChange(was: LayerEntry | undefined, is: LayerEntry | undefined): boolean {
  if (was === is) return was !== undefined;
  return (
    was !== undefined &&
    was.path === is?.path &&
    was.kind === is.kind &&
    was.type === is.type &&
    was.mode === is.mode &&
    was.sha256 === is.sha256 &&
    was.target === is.target
  );
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
