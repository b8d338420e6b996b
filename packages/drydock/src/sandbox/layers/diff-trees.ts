import type { LayerEntry } from "@drydock/protocol";
import { comparePaths, joinPath } from "./path-bytes.ts";
import { findNode, isSameNode, type TreeDirectory, type TreeNode } from "./tree.ts";

/**
 * What turns one tree into the other, one entry per path, sorted. A path that changes its type is one `changed` entry
 * whose `wasType` differs; what lay below a directory that went is `deleted` path by path. A directory is `changed`
 * only when its own mode or type is. Equal subtrees are not entered, so the cost follows the difference.
 */
export function diffTrees(before: TreeDirectory, after: TreeDirectory): LayerEntry[] {
  const entries: LayerEntry[] = [];
  diffDirectories(before, after, "", entries);
  return entries.sort((left, right) => comparePaths(left.path, right.path));
}

function diffDirectories(
  before: TreeDirectory | undefined,
  after: TreeDirectory | undefined,
  directory: string,
  entries: LayerEntry[],
): void {
  if (before === after) return;
  if (before && after && before.hash === after.hash && !before.unreadable) return;
  for (const [name, was] of before?.entries ?? []) {
    const is = after?.entries.get(name);
    if (was !== is) diffNodes(was, is, joinPath(directory, name), entries);
  }
  for (const [name, is] of after?.entries ?? []) {
    if (!before?.entries.has(name)) diffNodes(undefined, is, joinPath(directory, name), entries);
  }
}

function diffNodes(was: TreeNode | undefined, is: TreeNode | undefined, path: string, entries: LayerEntry[]): void {
  if (was && is && isSameNode(was, is)) return;
  const entry = describeChange(path, was, is);
  if (entry) entries.push(entry);
  const below = was?.type === "directory" ? was : undefined;
  const above = is?.type === "directory" ? is : undefined;
  diffDirectories(below, above, path, entries);
}

/** The entry of one path, which depends on nothing but the two nodes; undefined: there is none. */
function describeChange(path: string, was: TreeNode | undefined, is: TreeNode | undefined): LayerEntry | undefined {
  if (!is) return was && { path, kind: "deleted", ...describe(was), ...describeWas(was) };
  if (!was) return describeAdded(path, is);
  const isDirectory = was.type === "directory" && is.type === "directory";
  if (isDirectory ? was.mode === is.mode : isSameNode(was, is)) return undefined;
  return { path, kind: "changed", ...describe(is), ...describeWas(was) };
}

/** With more changes than this the whole tree is as soon compared. */
const FEW_CHANGES = 64;

/**
 * What turns `base` into `after`, where `known` is what turns it into `before`, and `after` is `before` with a few
 * changes. The entries of what has not changed stay the same objects: they are neither made nor compared again.
 */
export function extendDiff(
  known: readonly LayerEntry[],
  base: TreeDirectory,
  before: TreeDirectory,
  after: TreeDirectory,
): LayerEntry[] {
  const changes = diffTrees(before, after);
  if (changes.length > FEW_CHANGES) return diffTrees(base, after);
  const entries = known.slice();
  for (const { path } of changes) {
    const entry = describeChange(path, findNode(base, path), findNode(after, path));
    const at = findPlace(entries, path);
    entries.splice(at, entries[at]?.path === path ? 1 : 0, ...(entry ? [entry] : []));
  }
  return entries;
}

/** Where the path stands, or would stand, in a sorted list. */
function findPlace(entries: readonly LayerEntry[], path: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePaths(entries[middle]?.path ?? "", path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The usual entry by far in a long chain of tasks: put together in one step. */
function describeAdded(path: string, node: TreeNode): LayerEntry {
  if (node.type !== "file" || node.sha256 === undefined) return { path, kind: "added", ...describe(node) };
  return { path, kind: "added", type: "file", mode: node.mode, size: node.size, sha256: node.sha256 };
}

function describe(node: TreeNode): Pick<LayerEntry, "type" | "mode" | "size" | "sha256" | "target"> {
  const { type, mode } = node;
  if (type === "symlink") return { type, mode, target: node.target };
  if (type === "directory") return { type, mode };
  return { type, mode, size: node.size, ...(node.sha256 !== undefined && { sha256: node.sha256 }) };
}

function describeWas(node: TreeNode): Pick<LayerEntry, "wasType" | "wasMode" | "wasSha256" | "wasTarget"> {
  const was = { wasType: node.type, wasMode: node.mode };
  if (node.type === "symlink") return { ...was, wasTarget: node.target };
  return node.type === "file" && node.sha256 !== undefined ? { ...was, wasSha256: node.sha256 } : was;
}
