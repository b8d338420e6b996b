import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { DrydockError } from "@drydock/protocol";
import { createDirectoryState, type DirectoryState, markStale, type SeenLeaf } from "./directory-state.ts";
import { nextTurn } from "./directory-watches.ts";
import type { HashPool } from "./hash-pool.ts";
import { decodePath, joinPath, toFilePath } from "./path-bytes.ts";
import type { ReadFiles } from "./read-ahead.ts";
import { type FileStat, isRacy, isSameStat, type KnownFile, type StatCache } from "./stat-cache.ts";
import { isOutsideTree, SYMLINK_MODE } from "./tree.ts";

export interface ScanProgress {
  /** Entries looked at so far, and files whose content had to be read. */
  scanned: number;
  hashed: number;
}

export interface ScanContext {
  root: string;
  hashes: HashPool;
  /** Hashes from an earlier process. */
  cache: StatCache;
  progress: ScanProgress;
  onProgress?: (progress: ScanProgress) => void;
  signal?: AbortSignal;
  watch(state: DirectoryState): void;
  forget(state: DirectoryState): void;
  /** The directory must be looked at again: something in it moved while we looked. */
  markDirty(state: DirectoryState): void;
  /** The directory may not be read; it is tried again by the next refresh, since it may be impossible to watch. */
  retryLater(state: DirectoryState): void;
}

// lstat blocks for microseconds where a promise costs ten times that, so entries are looked at in slices with a turn of
// the event loop between them.
const SLICE = 256;
/** Deeper than any project; what goes through trees goes one call deeper with each level. */
const MAX_DEPTH = 500;

/**
 * Brings one directory's own entries up to date; content is hashed in the background. Returns subdirectories new here. `read`
 * has files that were read already, after the directory's watch began.
 */
export async function scanDirectory(
  state: DirectoryState,
  context: ScanContext,
  read?: ReadFiles,
): Promise<DirectoryState[]> {
  if (state.isForeign) return [];
  checkDepth(state, context);
  if (!read) context.watch(state);
  const entries = listEntries(state, context);
  if (!entries) return [];
  const cached = context.cache.get(state.path);
  const fresh: DirectoryState[] = [];
  const gone = new Set([...state.leaves.keys(), ...state.children.keys()]);
  for (const entry of entries) {
    const { name } = entry;
    if (state.path === "" && isOutsideTree(name)) continue;
    context.progress.scanned += 1;
    if (context.progress.scanned % SLICE === 0) await pause(context);
    const path = joinPath(state.path, name);
    const seenAtMs = Date.now();
    // What was opened says all that a look at the name would.
    const isNew = entry.isFile() && !state.leaves.has(name) && !cached?.has(name);
    const known = isNew ? read?.get(name) : undefined;
    const hashed = known ?? (isNew ? context.hashes.hashAtOnce(toFilePath(context.root, path)) : null);
    if (hashed) {
      context.progress.hashed += 1;
      const { mode, size, mtimeMs, ctimeMs, ino } = hashed.stat;
      const seen = { size, mtimeMs, ctimeMs, ino };
      setLeaf(state, name, createHashedLeaf(mode & 0o7777, seen, known?.seenAtMs ?? seenAtMs, hashed.sha256), context);
      continue;
    }
    const stat = lookAt(context.root, path);
    if (stat === "denied") {
      becomeUnreadable(state, context);
      return [];
    }
    if (!stat) continue;
    if (stat.isDirectory()) {
      gone.delete(name);
      const child = takeDirectory(state, name, stat, context);
      if (child) fresh.push(child);
    } else if (stat.isFile()) {
      gone.delete(name);
      const room = takeFile(state, name, stat, seenAtMs, context);
      if (room) await room;
    } else if (stat.isSymbolicLink()) {
      const target = readTarget(context.root, path);
      if (target === undefined) continue;
      gone.delete(name);
      const known = state.leaves.get(name)?.node;
      if (known?.type === "symlink" && known.target === target) continue;
      setLeaf(state, name, { node: { type: "symlink", mode: SYMLINK_MODE, target } }, context);
    }
  }
  for (const name of gone) removeEntry(state, name, context);
  return fresh;
}

function checkDepth({ path }: DirectoryState, { root }: ScanContext): void {
  if (path.length < 2 * MAX_DEPTH || path.split("/").length <= MAX_DEPTH) return;
  throw new DrydockError(
    "input.invalid",
    `The workspace ${root} holds directories more than ${MAX_DEPTH} levels deep, below ${path.slice(0, 60)}….`,
    "Remove them, or give a directory without them.",
    { workspace: root, path },
  );
}

async function pause(context: ScanContext): Promise<void> {
  context.onProgress?.({ ...context.progress });
  await nextTurn();
  context.signal?.throwIfAborted();
}

/** As the directory lists it: by the time it is looked at it may be something else. */
interface ListedEntry {
  name: string;
  isFile(): boolean;
}

/** Undefined where there is nothing to list; the state then says why. */
function listEntries(state: DirectoryState, context: ScanContext): ListedEntry[] | undefined {
  const path = toFilePath(context.root, state.path);
  try {
    const entries: ListedEntry[] = readdirSync(path, { encoding: "utf8", withFileTypes: true });
    const exact = entries.some(({ name }) => name.includes("\ufffd"))
      ? readdirSync(path, { encoding: "buffer", withFileTypes: true }).map((entry) => ({
          name: decodePath(entry.name),
          isFile: () => entry.isFile(),
        }))
      : entries;
    if (state.unreadable) {
      state.unreadable = false;
      markStale(state);
    }
    return exact;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") {
      const { parent } = state;
      // The caller reports a missing root, which it looks at first.
      if (!parent) throw error;
      context.markDirty(parent);
    } else if (code === "EACCES" || code === "EPERM" || code === "EIO") {
      becomeUnreadable(state, context);
    } else throw error;
    return undefined;
  }
}

function becomeUnreadable(state: DirectoryState, context: ScanContext): void {
  for (const name of [...state.leaves.keys(), ...state.children.keys()]) removeEntry(state, name, context);
  if (!state.unreadable) markStale(state);
  state.unreadable = true;
  context.retryLater(state);
}

function lookAt(root: string, path: string): Stats | "denied" | undefined {
  try {
    return lstatSync(toFilePath(root, path), { throwIfNoEntry: false });
  } catch (error) {
    // Listing needs the read bit of a directory, looking at its entries the execute bit.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM") return "denied";
    if (code === "ENOTDIR" || code === "ELOOP") return undefined;
    throw error;
  }
}

function readTarget(root: string, path: string): string | undefined {
  try {
    return decodePath(readlinkSync(toFilePath(root, path), "buffer"));
  } catch {
    return undefined;
  }
}

function takeDirectory(
  state: DirectoryState,
  name: string,
  stat: Stats,
  context: ScanContext,
): DirectoryState | undefined {
  const known = state.children.get(name);
  if (known && known.ino === stat.ino && known.dev === stat.dev) {
    const mode = stat.mode & 0o7777;
    if (known.mode !== mode) {
      known.mode = mode;
      markStale(known);
    }
    return undefined;
  }
  removeEntry(state, name, context);
  const child = createDirectoryState(joinPath(state.path, name), state, stat);
  state.children.set(name, child);
  markStale(state);
  return child;
}

function takeFile(
  state: DirectoryState,
  name: string,
  stat: Stats,
  seenAtMs: number,
  context: ScanContext,
): Promise<void> | undefined {
  const mode = stat.mode & 0o7777;
  const seen: FileStat = { size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, ino: stat.ino };
  const leaf = state.leaves.get(name);
  if (leaf?.node.type === "file" && leaf.stat && isSameStat(leaf.stat, seen)) return undefined;
  const cached = leaf ? undefined : context.cache.get(state.path)?.get(name);
  if (cached && isSameStat(cached, seen)) {
    setLeaf(state, name, { node: { type: "file", mode, size: seen.size, sha256: cached.sha256 }, stat: seen }, context);
    return undefined;
  }
  return context.hashes.add(toFilePath(context.root, joinPath(state.path, name)), seen.size, (result) => {
    context.progress.hashed += 1;
    if (state.detached || state.unreadable) return;
    if (result.outcome === "gone") {
      removeEntry(state, name, context);
      context.markDirty(state);
      return;
    }
    const node = { type: "file" as const, mode, size: seen.size };
    if (result.outcome === "unreadable") setLeaf(state, name, { node }, context);
    else setLeaf(state, name, createHashedLeaf(mode, seen, seenAtMs, result.sha256), context);
  });
}

function createHashedLeaf(mode: number, seen: FileStat, seenAtMs: number, sha256: string): SeenLeaf {
  const node = { type: "file" as const, mode, size: seen.size, sha256 };
  return isRacy(seen, seenAtMs) ? { node } : { node, stat: seen };
}

function setLeaf(state: DirectoryState, name: string, leaf: SeenLeaf, context: ScanContext): void {
  const was = state.leaves.get(name);
  if (!was) removeEntry(state, name, context);
  state.leaves.set(name, leaf);
  if (!was || !isSameLeaf(was, leaf)) markStale(state);
}

function isSameLeaf(left: SeenLeaf, right: SeenLeaf): boolean {
  const [a, b] = [left.node, right.node];
  if (a.type === "file") return b.type === "file" && a.sha256 === b.sha256 && a.mode === b.mode && a.size === b.size;
  return b.type === "symlink" && a.target === b.target;
}

function removeEntry(state: DirectoryState, name: string, context: ScanContext): void {
  const child = state.children.get(name);
  if (child) context.forget(child);
  if (state.children.delete(name) || state.leaves.delete(name)) markStale(state);
}

/** The files of a directory whose hash a later process may rely on. */
export function* trustedFiles(state: DirectoryState): Generator<[string, KnownFile]> {
  for (const [name, { node, stat }] of state.leaves) {
    if (node.type === "file" && stat && node.sha256 !== undefined) yield [name, { ...stat, sha256: node.sha256 }];
  }
}
