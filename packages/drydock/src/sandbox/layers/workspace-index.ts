import { type Stats, statfsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { untilAborted } from "../../base/waiting/index.ts";
import { diffTrees } from "./diff-trees.ts";
import { buildNode, createDirectoryState, type DirectoryState, eachState } from "./directory-state.ts";
import { createDirectoryWatches, settle } from "./directory-watches.ts";
import { createHashPool } from "./hash-pool.ts";
import { toFilePath } from "./path-bytes.ts";
import { type ScanContext, type ScanProgress, trustedFiles } from "./scan-directory.ts";
import { scanTree } from "./scan-tree.ts";
import { createSnapshot, type Snapshot } from "./snapshot.ts";
import { type KnownFile, loadStatCache, type StatCache, saveStatCache } from "./stat-cache.ts";

export interface WorkspaceIndexOptions {
  /** Where hashes are kept between processes; one file per workspace. Without it each process reads everything once. */
  cacheFile?: string;
  /** False: look at every file on each refresh. Default true. */
  watch?: boolean;
}

export interface RefreshOptions {
  /** Look at every file, whatever the watches say. */
  full?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: ScanProgress) => void;
}

/**
 * A directory as a Merkle tree that is kept up to date.
 *
 * The first refresh scans everything. Later ones look again at directories that had an event since (`dirty`); the whole
 * tree is scanned again, by stat, when there are no watches, when events may have been lost, when the directory is not
 * the same one any more, or when a refresh broke off half-way. A tree that changes while it is scanned is scanned
 * again a few times; after that the next refresh goes on with it.
 */
export interface WorkspaceIndex {
  readonly directory: string;
  /** Whether a refresh without changes costs nothing; otherwise each is a walk over the tree. */
  readonly watched: boolean;
  refresh(options?: RefreshOptions): Promise<Snapshot>;
  /** From the last snapshot on; `stop` tells which paths are different by then. What was changed and put back is not. */
  watchChanges(): { stop(): Promise<string[]> };
  /** Ends the watches and keeps the hashes. */
  close(): Promise<void>;
}

const HASH_CONCURRENCY = 16;
const TICK_MS = 500;
const MAX_ROUNDS = 4;
const SAVE_AFTER_HASHES = 256;

/** File systems that others change without this kernel's knowledge: NFS, SMB, CIFS, SMB2, FUSE, 9P, Ceph, AFS. */
const REMOTE_FILE_SYSTEMS = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f,
]);

/** What the kernel shows there is no content of files, and need not end: proc, sysfs, control groups, devices of terminals, debugfs, tracefs. */
const KERNEL_FILE_SYSTEMS = new Set([
  0x9fa0, 0x62656572, 0x63677270, 0x27e0eb, 0x1cd1, 0x64626720, 0x74726163, 0x73636673,
]);

export function createWorkspaceIndex(directory: string, options: WorkspaceIndexOptions = {}): WorkspaceIndex {
  const root = resolve(directory);
  const dirty = new Set<DirectoryState>();
  const unreadable = new Set<DirectoryState>();
  const watches = createDirectoryWatches<DirectoryState>((changed) => dirty.add(changed));
  let wantsWatches = options.watch ?? true;
  let top: DirectoryState | undefined;
  let snapshot: Snapshot | undefined;
  let scanWhole = true;
  let cache: StatCache | undefined;
  let unsavedHashes = 0;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();
  let saving: Promise<void> = Promise.resolve();

  const isWatched = () => wantsWatches && watches.working;

  const forget = (gone: DirectoryState) => {
    for (const below of eachState(gone)) {
      below.detached = true;
      dirty.delete(below);
      unreadable.delete(below);
      watches.unwatch(below);
    }
  };

  const openTop = (): DirectoryState => {
    const stat = statRoot(root);
    if (top?.ino === stat.ino && top.dev === stat.dev) return top;
    if (top) forget(top);
    const { type } = statfsSync(root);
    if (KERNEL_FILE_SYSTEMS.has(type)) throw noWorkspace(root);
    wantsWatches &&= !REMOTE_FILE_SYSTEMS.has(type);
    scanWhole = true;
    top = createDirectoryState("", undefined, stat);
    return top;
  };

  const scan = async (starts: DirectoryState[], deep: boolean, refreshOptions: RefreshOptions): Promise<void> => {
    const { signal, onProgress } = refreshOptions;
    const context: ScanContext = {
      root,
      hashes: createHashPool(HASH_CONCURRENCY, signal),
      cache: cache ?? new Map(),
      progress: { scanned: 0, hashed: 0 },
      onProgress,
      signal,
      watch: (state) => wantsWatches && watches.watch(state, toFilePath(root, state.path)),
      forget,
      markDirty: (state) => dirty.add(state),
      retryLater: (state) => unreadable.add(state),
    };
    // A large file takes long without anything else to tell.
    const ticking = onProgress && setInterval(() => onProgress({ ...context.progress }), TICK_MS);
    try {
      const begin = (state: DirectoryState) => {
        dirty.delete(state);
        unreadable.delete(state);
      };
      await scanTree(starts, context, { deep, isFirst: !snapshot && context.cache.size === 0, begin });
      await context.hashes.drain();
    } finally {
      // What was read before it broke off need not be read again.
      unsavedHashes += context.progress.hashed;
      clearInterval(ticking);
    }
    onProgress?.({ ...context.progress });
  };

  const rescan = async (state: DirectoryState, refreshOptions: RefreshOptions): Promise<void> => {
    for (const retried of unreadable) dirty.add(retried);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const whole = scanWhole;
      // Parents come first (the queue is taken from its end): what hangs below one that went need not be looked at.
      const starts = whole ? [state] : [...dirty].sort((left, right) => right.path.length - left.path.length);
      scanWhole = true;
      await scan(starts, whole, refreshOptions);
      scanWhole = false;
      if (isWatched()) await settle();
      if (watches.takeOverflow()) scanWhole = true;
      if (dirty.size === 0 && !scanWhole) return;
    }
  };

  const save = (): Promise<void> => {
    const { cacheFile } = options;
    if (cacheFile === undefined || !top || unsavedHashes === 0) return saving;
    unsavedHashes = 0;
    const rows = Array.from(eachState(top), (state): [string, Iterable<[string, KnownFile]>] => [
      state.path,
      trustedFiles(state),
    ]);
    // The cache only saves time: a home that can't be written costs the next process a scan, nothing else.
    saving = saving.then(() => saveStatCache(cacheFile, rows)).catch(() => undefined);
    return saving;
  };

  const refresh = async (refreshOptions: RefreshOptions): Promise<Snapshot> => {
    const { full, signal } = refreshOptions;
    if (closed) throw new DrydockError("internal", `The index of ${root} is closed.`, "Create a new one.");
    signal?.throwIfAborted();
    // Also without watches: a scan of few files blocks, and a caller in a loop must not starve the rest of the process.
    await settle();
    const state = openTop();
    if (full || !isWatched() || watches.takeOverflow()) scanWhole = true;
    if (snapshot && !scanWhole && dirty.size === 0 && unreadable.size === 0) return snapshot;
    if (!snapshot && options.cacheFile !== undefined) cache = await loadStatCache(options.cacheFile);
    await rescan(state, refreshOptions).catch((error: unknown) => {
      statRoot(root);
      throw error;
    });
    cache = undefined;
    const node = buildNode(state);
    if (snapshot?.root !== node) snapshot = createSnapshot(node);
    if (unsavedHashes >= SAVE_AFTER_HASHES) void save();
    return snapshot;
  };

  const refreshInTurn = (refreshOptions: RefreshOptions = {}): Promise<Snapshot> => {
    const mine = turn.then(() => refresh(refreshOptions));
    turn = mine.catch(() => undefined);
    return untilAborted(mine, refreshOptions.signal);
  };

  return {
    directory: root,
    get watched() {
      return isWatched();
    },
    refresh: refreshInTurn,
    watchChanges() {
      const before = snapshot;
      if (!before) throw new DrydockError("internal", `The index of ${root} was never refreshed.`, "Refresh it first.");
      return {
        async stop() {
          const after = await refreshInTurn();
          return diffTrees(before.root, after.root).map((entry) => entry.path);
        },
      };
    },
    async close() {
      await turn;
      closed = true;
      watches.close();
      await save();
    },
  };
}

function noWorkspace(root: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `${root} is a virtual file system of this machine, and holds no files.`,
    "Give the path of a directory with your files.",
    { workspace: root },
  );
}

/** Who waits for the turn of others leaves at once. */

function statRoot(root: string): Stats {
  const stat = statSync(root, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return stat;
  throw new DrydockError(
    "input.invalid",
    `The workspace ${root} ${stat ? "is not a directory" : "does not exist"}.`,
    "Give the path of an existing directory.",
    { path: root },
  );
}
