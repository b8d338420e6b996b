import { hash } from "node:crypto";
import { DrydockError, type Layer } from "@drydock/protocol";
import {
  createBaseReader,
  createSnapshot,
  createWorkspaceIndex,
  diffTrees,
  mergeEntries,
  type RefreshOptions,
  type Snapshot,
  type TreeDirectory,
} from "../layers/index.ts";
import { checkLayer } from "./check-layer.ts";
import { createWorkTree } from "./create-work-tree.ts";
import { describeEntries } from "./describe-entries.ts";
import { withDrafts } from "./draft-contents.ts";
import { sortPaths, type Union, uniteLayers } from "./merge-layers.ts";
import { rebaseEntries } from "./rebase-entries.ts";
import { reverseEntries } from "./reverse-entries.ts";
import type { MergedLayer, TreeContents, TreeRules, Workbench } from "./worktree.ts";

/** Where the state of a directory is kept up to date. */
interface SnapshotSource {
  refresh(options?: RefreshOptions): Promise<Snapshot>;
  close(): Promise<void>;
}

export interface WorkbenchOptions {
  /** As `resolveWorkspace` gives it. */
  workspace: string;
  rules: TreeRules;
  contents: TreeContents;
  /** Without it the workbench looks at the directory on its own. */
  source?: SnapshotSource;
  /** Ends the first look at the directory. */
  signal?: AbortSignal;
  onProgress?: RefreshOptions["onProgress"];
}

const MAX_ORIGINAL_BYTES = 64 * 1024 * 1024;

export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { workspace, rules, contents } = options;
  const source = options.source ?? createWorkspaceIndex(workspace);
  const readAny = createBaseReader(workspace);
  const readBase = async (path: string) => (rules.hidden(path) ? null : readAny(path));
  const narrowed = new WeakMap<TreeRules, TreeRules>();
  const kept = new Set<string>();
  let snapshot = await source.refresh({ signal: options.signal, onProgress: options.onProgress });

  /** The content from the directory, if it is still the one; else from the store, where somebody kept it. */
  const find = async (sha256: string, path: string): Promise<Buffer | null> => {
    const bytes = await readBase(path);
    if (bytes && hash("sha256", bytes) === sha256) return bytes;
    return sha256 === "" ? null : contents.read(sha256).catch(() => null);
  };

  const narrow = (more: TreeRules | undefined): TreeRules => {
    if (!more || more === rules) return rules;
    const known = narrowed.get(more) ?? intersect(rules, more);
    narrowed.set(more, known);
    return known;
  };

  /** Trees of layers that were made or checked here, over the snapshot that is named. */
  const trees = new WeakMap<Layer, { over: TreeDirectory; root: TreeDirectory }>();
  const remember = (layer: Layer, root: TreeDirectory) => void trees.set(layer, { over: snapshot.root, root });

  const rootOf = (layer: Layer | null): TreeDirectory => {
    if (!layer) return snapshot.root;
    if (layer.baseHash !== snapshot.treeHash) throw movedBase(workspace, layer, snapshot);
    const known = trees.get(layer);
    if (known?.over === snapshot.root) return known.root;
    checkLayer(layer, snapshot.root);
    const root = mergeEntries(snapshot.root, layer.entries);
    remember(layer, root);
    return root;
  };

  const finish = ({ entries, conflicts }: Union, layers: readonly Layer[], over = snapshot.root): MergedLayer => {
    if (conflicts.size > 0) return { ok: false, conflicts: sortPaths(conflicts) };
    const united = [...entries.values()];
    checkLayer({ entries: united }, over);
    const root = mergeEntries(over, united);
    const layer: Layer = {
      version: 1,
      workspace,
      baseHash: snapshot.treeHash,
      treeHash: root.hash,
      entries: describeEntries(snapshot.root, root),
      changedUnderneath: [],
      denied: sortPaths(layers.flatMap(({ denied }) => denied)),
    };
    remember(layer, root);
    return { ok: true, layer };
  };

  return {
    workspace,
    rules,
    get treeHash() {
      return snapshot.treeHash;
    },
    tree(layer, more, drafts) {
      const context = {
        workspace,
        snapshot,
        rules: narrow(more),
        contents: drafts ? withDrafts(contents, drafts) : contents,
        readBase,
        find,
        remember,
        denied: layer?.denied ?? [],
      };
      return createWorkTree(context, rootOf(layer));
    },
    async refresh() {
      const before = snapshot.treeHash;
      snapshot = await source.refresh();
      return snapshot.treeHash !== before;
    },
    async merge(layers) {
      for (const layer of layers) rootOf(layer);
      return finish(await uniteLayers(layers, find, contents), layers);
    },
    async combine(base, ours, theirs) {
      const layers = [base, ours, theirs].filter((layer) => layer !== null);
      const over = createSnapshot(rootOf(ours));
      const delta = { entries: diffTrees(rootOf(base), rootOf(theirs)) };
      return finish(await rebaseEntries(delta, over, find, contents), layers, over.root);
    },
    async rebase(layer) {
      if (layer.baseHash === snapshot.treeHash) return { ok: true, layer };
      checkLayer(layer);
      return finish(await rebaseEntries(layer, snapshot, find, contents), [layer]);
    },
    stack(lower, upper) {
      const over = rootOf(lower);
      if (over.hash !== upper.baseHash) return null;
      const stacked = finish(
        { entries: new Map(upper.entries.map((e) => [e.path, e])), conflicts: new Set() },
        [],
        over,
      );
      return stacked.ok ? stacked.layer : null;
    },
    async undo(layer) {
      checkLayer(layer);
      const { entries, lost } = await reverseEntries(layer.entries, find);
      if (lost.length > 0) return { ok: false, conflicts: sortPaths(lost) };
      return finish(await rebaseEntries({ entries }, snapshot, find, contents), [layer]);
    },
    async keepOriginals(layer) {
      const originals: Buffer[] = [];
      for (const { path, kind, wasSha256 } of layer.entries) {
        if (kind === "added" || wasSha256 === undefined || kept.has(wasSha256)) continue;
        const bytes = await readBase(path);
        if (!bytes || bytes.length > MAX_ORIGINAL_BYTES || hash("sha256", bytes) !== wasSha256) continue;
        originals.push(bytes);
        kept.add(wasSha256);
      }
      if (originals.length === 0) return;
      if (contents.putAll) await contents.putAll(originals);
      else for (const bytes of originals) await contents.put(bytes);
    },
    close: () => source.close(),
  };
}

function intersect(rules: TreeRules, more: TreeRules): TreeRules {
  return {
    hidden: hideBoth(rules.hidden, more.hidden),
    protectedPath: (path) => rules.protectedPath(path) || more.protectedPath(path),
    writable: (path) => rules.writable(path) && more.writable(path),
    scope: more.scope ?? rules.scope,
  };
}

type Hidden = TreeRules["hidden"];
const bothOf = new WeakMap<Hidden, WeakMap<Hidden, Hidden>>();

/** The same function for the same two: trees remember what it hides. */
function hideBoth(one: Hidden, other: Hidden): Hidden {
  if (one === other) return one;
  const known = bothOf.get(one) ?? new WeakMap<Hidden, Hidden>();
  bothOf.set(one, known);
  const both = known.get(other) ?? ((path, isDirectory) => one(path, isDirectory) || other(path, isDirectory));
  known.set(other, both);
  return both;
}

function movedBase(workspace: string, layer: Layer, snapshot: Snapshot): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    `The changes are based on another state of ${workspace} than the current one.`,
    "Run it again: it starts from the current files. Its earlier work stays in its record.",
    { baseHash: layer.baseHash, treeHash: snapshot.treeHash },
  );
}
