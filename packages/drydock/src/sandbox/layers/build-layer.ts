import { DrydockError, INTERNAL_HINT, type Layer, type LayerEntry } from "@drydock/protocol";
import { diffTrees } from "./diff-trees.ts";
import { comparePaths } from "./path-bytes.ts";
import type { PathMatcher, Snapshot } from "./snapshot.ts";
import {
  createDirectoryNode,
  EMPTY_SHA256,
  findNode,
  isOutsideTree,
  SYMLINK_MODE,
  type TreeDirectory,
  type TreeNode,
} from "./tree.ts";

/** One entry of an overlay's upper directory, as the trusted process that walked it reports it. */
export interface RawChange {
  /** Relative, parts separated by "/". */
  path: string;
  type: "file" | "directory" | "symlink" | "whiteout" | "other";
  /** Permission bits. */
  mode: number;
  size?: number;
  /** Of the content, which is in the content-addressed store already. */
  sha256?: string;
  target?: string;
  /** The directory replaces the one below entirely. */
  opaque?: boolean;
}

export interface LayerRules {
  hidden: PathMatcher;
  protectedPath: PathMatcher;
  writable: PathMatcher;
}

export interface LayerInput {
  /** What the run saw below; `EMPTY_SNAPSHOT` without a workspace. */
  snapshot: Snapshot;
  raw: readonly RawChange[];
  workspace: string | null;
  rules: LayerRules;
  changedUnderneath: readonly string[];
  /** The layer that lay on the snapshot when the run began: what it changed is not this run's doing. */
  base?: Pick<Layer, "entries" | "denied">;
}

/**
 * The upper directory as a difference. The tree that the run saw at its end is built first, sharing every untouched
 * node with the snapshot; entries and hash both follow from it, so they can't disagree, and an upper entry that
 * changes nothing (a copy-up) leaves no trace.
 */
export function buildLayer({ snapshot, raw, workspace, rules, changedUnderneath, base }: LayerInput): Layer {
  const denied = new Set<string>(base?.denied);
  const inTree: RawChange[] = [];
  for (const change of raw) {
    checkPath(change.path);
    if (isOutsideTree(change.path)) {
      // The tree does not cover these, so a change there can't be delivered. A bare directory is only the way to one.
      const isWay = change.type === "directory" && !change.opaque;
      if (!isWay && (workspace !== null || isDenied(change.path, rules))) denied.add(change.path);
      continue;
    }
    if (change.type === "other") denied.add(change.path);
    inTree.push(change);
  }
  const seen = leaveOutHidden(snapshot.root, inTree, rules);
  const tree = mergeChanges(seen, inTree);
  const entries = diffTrees(seen, tree);
  const own = base?.entries.length ? diffTrees(mergeEntries(seen, base.entries), tree) : entries;
  for (const path of findDenied(own, rules)) denied.add(path);
  return {
    version: 1,
    workspace,
    baseHash: snapshot.treeHash,
    treeHash: (seen === snapshot.root ? tree : mergeEntries(snapshot.root, entries)).hash,
    entries,
    changedUnderneath: [...changedUnderneath],
    denied: [...denied].sort(comparePaths),
  };
}

/**
 * The tree without the hidden paths that a run wrote to. To the run they were not there, so what it wrote is new, whatever
 * lies below: a difference to that would tell whether there is such a file, and a guess at its content would be confirmed.
 */
function leaveOutHidden(root: TreeDirectory, changes: readonly RawChange[], { hidden }: LayerRules): TreeDirectory {
  const touched = new Set<string>();
  for (const { path, type } of changes) {
    if (type === "whiteout" || !hidden(path, type === "directory")) continue;
    let top = path;
    for (let at = path.indexOf("/"); at > 0 && top === path; at = path.indexOf("/", at + 1)) {
      if (hidden(path.slice(0, at), true)) top = path.slice(0, at);
    }
    if (findNode(root, top)) touched.add(top);
  }
  if (touched.size === 0) return root;
  return mergeChanges(
    root,
    Array.from(touched, (path) => ({ path, type: "whiteout", mode: 0 })),
  );
}

/** The tree with a layer's entries on it, whatever it was made over. */
export function mergeEntries(root: TreeDirectory, entries: readonly LayerEntry[]): TreeDirectory {
  return mergeChanges(root, entries.map(toChange));
}

function toChange({ path, kind, type, mode, size, sha256, target }: LayerEntry): RawChange {
  return { path, type: kind === "deleted" ? "whiteout" : type, mode, size, sha256, target };
}

function mergeChanges(root: TreeDirectory, changes: readonly RawChange[]): TreeDirectory {
  const upper = createUpperNode();
  for (const change of changes) placeChange(upper, change);
  return mergeDirectory(root, upper, root.mode);
}

interface UpperNode {
  change?: RawChange;
  children: Map<string, UpperNode>;
}

function createUpperNode(): UpperNode {
  return { children: new Map() };
}

function placeChange(root: UpperNode, change: RawChange): void {
  let node = root;
  for (const name of change.path.split("/")) {
    let next = node.children.get(name);
    if (!next) {
      next = createUpperNode();
      node.children.set(name, next);
    }
    node = next;
  }
  node.change = change;
}

function mergeDirectory(base: TreeDirectory | undefined, upper: UpperNode, mode: number): TreeDirectory {
  const entries = new Map(base?.entries);
  for (const [name, child] of upper.children) {
    const merged = mergeNode(entries.get(name), child);
    if (merged) entries.set(name, merged);
    else entries.delete(name);
  }
  return createDirectoryNode(mode, entries);
}

/** Undefined: nothing is at this path, as far as a tree can hold it. */
function mergeNode(base: TreeNode | undefined, upper: UpperNode): TreeNode | undefined {
  const { change } = upper;
  const below = base?.type === "directory" ? base : undefined;
  // A parent that the walk did not list on its own is there all the same.
  if (!change) return mergeDirectory(below, upper, below?.mode ?? 0o755);
  const mode = change.mode & 0o7777;
  switch (change.type) {
    case "whiteout":
    case "other":
      return undefined;
    case "file":
      return { type: "file", mode, size: change.size ?? 0, sha256: contentOf(change) };
    case "symlink":
      return { type: "symlink", mode: SYMLINK_MODE, target: change.target ?? "" };
    case "directory": {
      if (below && !change.opaque && upper.children.size === 0) return { ...below, mode };
      return mergeDirectory(change.opaque ? undefined : below, upper, mode);
    }
    default:
      return change.type satisfies never;
  }
}

function contentOf(change: RawChange): string {
  if (change.sha256 !== undefined) return change.sha256;
  if (change.size === 0) return EMPTY_SHA256;
  throw brokenWalk(change.path, "has no content hash");
}

function checkPath(path: string): void {
  for (const name of path.split("/")) {
    if (name === "" || name === "." || name === ".." || name.includes("\0"))
      throw brokenWalk(path, "is not a plain path");
  }
}

function brokenWalk(path: string, problem: string): DrydockError {
  return new DrydockError(
    "internal",
    `The sandbox reported a change that ${problem}: ${JSON.stringify(path)}.`,
    `The run's changes were not kept. ${INTERNAL_HINT}`,
    { path },
  );
}

function isDenied(path: string, { hidden, protectedPath, writable }: LayerRules): boolean {
  return hidden(path) || protectedPath(path) || !writable(path);
}

/** A new directory outside the write scope is no offence where it only leads to something inside it. */
function findDenied(entries: readonly LayerEntry[], rules: LayerRules): string[] {
  const ways = new Set<string>();
  const denied: string[] = [];
  for (const { path, kind, type } of entries.toReversed()) {
    if (!isDenied(path, rules)) {
      for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
        const way = path.slice(0, at);
        if (ways.has(way)) break;
        ways.add(way);
      }
      continue;
    }
    const leadsInside = kind === "added" && type === "directory" && ways.has(path);
    if (!leadsInside || rules.hidden(path) || rules.protectedPath(path)) denied.push(path);
  }
  return denied;
}
