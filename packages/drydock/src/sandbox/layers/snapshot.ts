import { joinPath } from "./path-bytes.ts";
import { EMPTY_TREE, findNode, originOf, type TreeDirectory, type TreeNode } from "./tree.ts";

export type PathMatcher = (relative: string, isDirectory?: boolean) => boolean;

/** What one path of a snapshot is. A file without `sha256` is one that may not be read. */
export interface SnapshotEntry {
  readonly type: TreeNode["type"];
  readonly mode: number;
  readonly size?: number;
  readonly sha256?: string;
  readonly target?: string;
}

/** A workspace as it was at one moment; it stays as it is when the directory goes on changing. */
export interface Snapshot {
  readonly treeHash: string;
  /** Files and symlinks. */
  readonly filesCount: number;
  readonly root: TreeDirectory;
  lookup(path: string): SnapshotEntry | undefined;
  /** Names in byte order; undefined where there is no directory. */
  children(path: string): string[] | undefined;
  /** Every path below the prefix (a directory), parents before children. */
  paths(prefix?: string): string[];
  /**
   * Topmost paths that the matcher hides. Remembered per matcher and directory, so that a matcher that stays the same
   * function is called for changed directories only.
   */
  hiddenPaths(matcher: PathMatcher): string[];
}

export function createSnapshot(root: TreeDirectory): Snapshot {
  return {
    treeHash: root.hash,
    filesCount: root.filesCount,
    root,
    lookup(path) {
      const node = findNode(root, path);
      return node && describeNode(node);
    },
    children(path) {
      const node = findNode(root, path);
      return node?.type === "directory" ? [...node.entries.keys()] : undefined;
    },
    paths(prefix = "") {
      const node = findNode(root, prefix);
      const found: string[] = [];
      if (node?.type === "directory") collectPaths(node, prefix, found);
      return found;
    },
    hiddenPaths: (matcher) => [...findHidden(root, "", matcher, rememberedFor(matcher))],
  };
}

/** What a run without a workspace sees below. */
export const EMPTY_SNAPSHOT = createSnapshot(EMPTY_TREE);

function describeNode(node: TreeNode): SnapshotEntry {
  const { type, mode } = node;
  if (type === "symlink") return { type, mode, target: node.target };
  if (type === "directory") return { type, mode };
  return { type, mode, size: node.size, ...(node.sha256 !== undefined && { sha256: node.sha256 }) };
}

function collectPaths(directory: TreeDirectory, path: string, paths: string[]): void {
  for (const [name, node] of directory.entries) {
    const child = joinPath(path, name);
    paths.push(child);
    if (node.type === "directory") collectPaths(node, child, paths);
  }
}

/** The path is part of what is remembered: one node may stand at two places of different trees. */
type Remembered = WeakMap<TreeDirectory, { path: string; hidden: readonly string[] }>;
const rememberedByMatcher = new WeakMap<PathMatcher, Remembered>();

function rememberedFor(matcher: PathMatcher): Remembered {
  const known = rememberedByMatcher.get(matcher);
  if (known) return known;
  const fresh: Remembered = new WeakMap();
  rememberedByMatcher.set(matcher, fresh);
  return fresh;
}

function findHidden(
  directory: TreeDirectory,
  path: string,
  matcher: PathMatcher,
  remembered: Remembered,
): readonly string[] {
  const known = remembered.get(directory);
  if (known?.path === path) return known.hidden;
  const isShown = knowShown(directory, path, remembered);
  const hidden: string[] = [];
  for (const [name, node] of directory.entries) {
    if (isShown(name, node)) continue;
    const child = joinPath(path, name);
    if (matcher(child, node.type === "directory")) hidden.push(child);
    else if (node.type === "directory") {
      for (const below of findHidden(node, child, matcher, remembered)) hidden.push(below);
    }
  }
  remembered.set(directory, { path, hidden });
  return hidden;
}

/**
 * For a directory that is a changed version of another: entries that both share and that were shown there are not
 * checked again.
 */
function knowShown(
  directory: TreeDirectory,
  path: string,
  remembered: Remembered,
): (name: string, node: TreeNode) => boolean {
  const origin = originOf(directory);
  const before = origin && remembered.get(origin);
  if (before?.path !== path) return () => false;
  const hidden = new Set(before.hidden);
  return (name, node) =>
    node.type !== "directory" && origin?.entries.get(name) === node && !hidden.has(joinPath(path, name));
}
