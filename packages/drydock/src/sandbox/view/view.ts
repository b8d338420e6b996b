import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Layer } from "@drydock/protocol";
import type { PathRules } from "../../policy/index.ts";
import {
  buildLayer,
  comparePaths,
  createWorkspaceIndex,
  diffTrees,
  EMPTY_SNAPSHOT,
  type RawChange,
  type RefreshOptions,
  type Snapshot,
  type WorkspaceIndex,
} from "../layers/index.ts";
import { openWorkbench, type WorkbenchOptions } from "../worktree/open-workbench.ts";
import type { Workbench } from "../worktree/worktree.ts";
import { hideGitCredentials } from "./git-credentials.ts";
import { findHiddenInGit, UNHASHED_DIRECTORIES } from "./hidden-in-git.ts";
import { hideDrydockDirectories } from "./resolve-workspace.ts";

/** A run's view of the workspace, and how its changes are collected. */
export interface View {
  workspace: string | null;
  snapshot: Snapshot;
  /** Paths that do not exist inside. */
  hide: string[];
  /** Paths that can't be written inside. */
  protect: string[];
  /** What the run has changed so far, while it goes on. */
  look(changes: readonly RawChange[], base?: Layer): Layer;
  /** Called once, when nothing runs in it any more. */
  settle(changes: readonly RawChange[], base?: Layer): Promise<Layer>;
}

export interface Views {
  open(workspace: string | null, rules: PathRules, reading?: Reading): Promise<View>;
  /** A workbench over the same state of the directory that runs see. */
  openWorkbench(options: Omit<WorkbenchOptions, "source">, reading?: Reading): Promise<Workbench>;
  close(): Promise<void>;
}

/** A new directory is read as a whole: that takes long, and can be cancelled. */
export type Reading = Pick<RefreshOptions, "signal" | "onProgress">;

const MAX_INDEXES = 16;
const MAX_SEEN = 32;
const FREE_RULES: PathRules = { hidden: () => false, protectedPath: () => false, writable: () => true };

export function createViews(cacheDirectory: string, own: readonly string[]): Views {
  const indexes = new Map<string, WorkspaceIndex>();
  const seen = new Map<string, Snapshot>();

  /** States of directories are kept for a while: a run may start from changes that were made over an earlier one. */
  function remember(snapshot: Snapshot): Snapshot {
    seen.delete(snapshot.treeHash);
    seen.set(snapshot.treeHash, snapshot);
    const [oldest] = seen.keys();
    if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
    return snapshot;
  }

  /** What became different in the directory since the state that a layer belongs to; "." where that state is forgotten. */
  function changedSince(base: Layer | undefined, snapshot: Snapshot): string[] {
    if (!base || base.baseHash === snapshot.treeHash) return [];
    const before = seen.get(base.baseHash);
    return before ? diffTrees(before.root, snapshot.root).map(({ path }) => path) : ["."];
  }

  async function indexOf(workspace: string): Promise<WorkspaceIndex> {
    const known = indexes.get(workspace);
    if (known) {
      indexes.delete(workspace);
      indexes.set(workspace, known);
      return known;
    }
    const directory = join(cacheDirectory, "trees");
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const cacheFile = join(directory, `${createHash("sha256").update(workspace).digest("hex").slice(0, 32)}.json`);
    const index = createWorkspaceIndex(workspace, { cacheFile });
    indexes.set(workspace, index);
    for (const [oldest, old] of indexes) {
      if (indexes.size <= MAX_INDEXES) break;
      indexes.delete(oldest);
      await old.close();
    }
    return index;
  }

  return {
    async open(workspace, rules, reading) {
      if (workspace === null) return emptyView();
      const index = await indexOf(workspace);
      const snapshot = remember(await index.refresh(reading));
      const watch = index.watchChanges();
      const ours = hideDrydockDirectories(workspace, own, []);
      const hiddenInTree = snapshot.hiddenPaths(hideGitCredentials(workspace, rules.hidden));
      const isHidden = new Set(hiddenInTree);
      const hidden = (path: string, isDirectory?: boolean) => rules.hidden(path, isDirectory) || isHidden.has(path);
      return {
        workspace,
        snapshot,
        hide: hideDrydockDirectories(workspace, own, [...hiddenInTree, ...findHiddenInGit(workspace, rules.hidden)]),
        // Bound read-only, so that a write fails where it happens.
        protect: UNHASHED_DIRECTORIES.filter((name) => rules.protectedPath(name) && existsSync(join(workspace, name))),
        look: (raw, base) =>
          buildLayer({ snapshot, raw, workspace, rules: { ...rules, hidden }, changedUnderneath: [], base }),
        settle: async (raw, base) => {
          const changed = new Set([...changedSince(base, snapshot), ...(await watch.stop())]);
          // Drydock's own files change with every run; none of them sees them.
          const isOurs = (path: string) => ours.some((own) => path === own || path.startsWith(`${own}/`));
          const changedUnderneath = [...changed].filter((path) => !isOurs(path)).sort(comparePaths);
          return buildLayer({ snapshot, raw, workspace, rules: { ...rules, hidden }, changedUnderneath, base });
        },
      };
    },
    async openWorkbench(options, reading) {
      const { workspace, rules } = options;
      const ours = hideDrydockDirectories(workspace, own, []);
      const hides = hideGitCredentials(workspace, rules.hidden);
      const hidden = (path: string, isDirectory?: boolean) =>
        hides(path, isDirectory) || ours.some((own) => path === own || path.startsWith(`${own}/`));
      const all = ours.length > 0 ? hidden : hides;
      return openWorkbench({
        ...options,
        rules: { ...rules, hidden: all, writable: (path) => rules.writable(path) && !all(path) },
        // The index belongs to all runs and stays open. It is looked up each time, because an index that was not used
        // for long is closed.
        source: {
          refresh: async () => remember(await (await indexOf(workspace)).refresh(reading)),
          close: async () => {},
        },
      });
    },
    async close() {
      await Promise.all([...indexes.values()].map((index) => index.close()));
    },
  };
}

const NOTHING: Layer = {
  version: 1,
  workspace: null,
  baseHash: EMPTY_SNAPSHOT.treeHash,
  treeHash: EMPTY_SNAPSHOT.treeHash,
  entries: [],
  changedUnderneath: [],
  denied: [],
};

/** Without a workspace: an empty directory that is not captured, in which everything is allowed. */
function emptyView(): View {
  return {
    workspace: null,
    snapshot: EMPTY_SNAPSHOT,
    hide: [],
    protect: [],
    look: buildEmpty,
    settle: async (raw, base) => buildEmpty(raw, base),
  };
}

function buildEmpty(raw: readonly RawChange[], base?: Layer): Layer {
  if (raw.length === 0) return NOTHING;
  const nothing = { snapshot: EMPTY_SNAPSHOT, workspace: null, rules: FREE_RULES, changedUnderneath: [] };
  return buildLayer({ ...nothing, raw, base });
}
