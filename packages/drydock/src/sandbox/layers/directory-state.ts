import type { FileStat } from "./stat-cache.ts";
import {
  createDirectoryNode,
  createUnreadableDirectory,
  type TreeDirectory,
  type TreeFile,
  type TreeNode,
  type TreeSymlink,
} from "./tree.ts";

/** A file or symlink as last seen; `stat` is absent where the next look must not trust it. */
export interface SeenLeaf {
  node: TreeFile | TreeSymlink;
  stat?: FileStat;
}

/** What the index knows about one directory, changed in place; `node` is the immutable form handed out. */
export interface DirectoryState {
  readonly path: string;
  readonly parent: DirectoryState | undefined;
  readonly ino: number;
  readonly dev: number;
  mode: number;
  unreadable: boolean;
  /** Another file system is mounted here: what lies below is not the workspace's, and no run sees it. */
  readonly isForeign: boolean;
  leaves: Map<string, SeenLeaf>;
  children: Map<string, DirectoryState>;
  node: TreeDirectory | undefined;
  /** `node` no longer says what is here or below. */
  stale: boolean;
  /** Taken out of the tree: whatever is still under way for it does not count. */
  detached: boolean;
}

export function createDirectoryState(
  path: string,
  parent: DirectoryState | undefined,
  stat: { ino: number; dev: number; mode: number },
): DirectoryState {
  const isForeign = parent !== undefined && parent.dev !== stat.dev;
  return {
    path,
    parent,
    ino: stat.ino,
    dev: stat.dev,
    mode: stat.mode & 0o7777,
    unreadable: isForeign,
    isForeign,
    leaves: new Map(),
    children: new Map(),
    node: undefined,
    stale: true,
    detached: false,
  };
}

export function markStale(state: DirectoryState): void {
  state.stale = true;
  for (let above = state.parent; above && !above.stale; above = above.parent) above.stale = true;
}

export function* eachState(state: DirectoryState): Generator<DirectoryState> {
  const queue = [state];
  for (let next = queue.pop(); next; next = queue.pop()) {
    yield next;
    queue.push(...next.children.values());
  }
}

/** Rebuilds stale directories only; one that turns out the same keeps its node, so that what hangs on it stays valid. */
export function buildNode(state: DirectoryState): TreeDirectory {
  if (state.node && !state.stale) return state.node;
  const node = state.unreadable
    ? createUnreadableDirectory(state.mode)
    : createDirectoryNode(state.mode, eachNode(state));
  const kept = state.node;
  const same =
    kept && kept.hash === node.hash && kept.mode === node.mode && Boolean(kept.unreadable) === state.unreadable;
  state.node = same ? kept : node;
  state.stale = false;
  return state.node;
}

function* eachNode(state: DirectoryState): Generator<[string, TreeNode]> {
  for (const [name, leaf] of state.leaves) yield [name, leaf.node];
  for (const [name, child] of state.children) yield [name, buildNode(child)];
}
