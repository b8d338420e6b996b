import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import {
  createSnapshot,
  diffTrees,
  findNode,
  joinPath,
  type Snapshot,
  type TreeDirectory,
  type TreeNode,
} from "../layers/index.ts";
import { applyWrites } from "./apply-writes.ts";
import { describeEntries } from "./describe-entries.ts";
import type { TreeContents, TreeRules, WorkTree } from "./worktree.ts";

export interface TreeContext {
  readonly workspace: string;
  readonly snapshot: Snapshot;
  readonly rules: TreeRules;
  readonly contents: TreeContents;
  /** A file of the workspace, as it is now. */
  readonly readBase: (path: string) => Promise<Buffer | null>;
  /** A file of the workspace as it was, by hash; null: that is nowhere to be had any more. */
  readonly find: (sha256: string, path: string) => Promise<Buffer | null>;
  /** Called for each new layer, so that its tree need not be built again. */
  readonly remember: (layer: Layer, root: TreeDirectory) => void;
  /** Paths that runs changed against the policy: the layer can't be delivered, whatever is changed on top. */
  readonly denied: readonly string[];
}

/** What stands behind a tree, for those that are compared with it. */
const rootOfTree = new WeakMap<WorkTree, TreeDirectory>();

/** `from` is the tree that this one was made from. */
export function createWorkTree(context: TreeContext, root: TreeDirectory, from?: TreeDirectory): WorkTree {
  const { snapshot, rules, contents, find } = context;
  const tree = createSnapshot(root);
  let layer: Layer | undefined;
  /** What an attempt changed is wanted as a diff and as a list. */
  let since: { before: WorkTree; entries: readonly LayerEntry[] } | undefined;
  const isHidden = (path: string) => path !== "" && rules.hidden(path);
  const walk = (prefix: string, visit: Visit) => {
    const hidden = groupByDirectory(tree.hiddenPaths(rules.hidden));
    const node = isHidden(prefix) ? undefined : findNode(root, prefix);
    if (node?.type === "directory") walkDirectory(node, prefix, hidden, visit);
  };
  const self: WorkTree = {
    treeHash: root.hash,
    get layer() {
      if (layer) return layer;
      layer = describeLayer(context, root, from);
      context.remember(layer, root);
      return layer;
    },
    lookup: (path) => (isHidden(path) ? undefined : tree.lookup(path)),
    async read(path) {
      const node = isHidden(path) ? undefined : findNode(root, path);
      if (node?.type !== "file" || node.sha256 === undefined) return null;
      const below = findNode(snapshot.root, path);
      const isBase = below?.type === "file" && below.sha256 === node.sha256;
      if (!isBase) return contents.read(node.sha256);
      const found = await find(node.sha256, path);
      if (!found) throw changedMeanwhile(path);
      return found;
    },
    files() {
      const found: { path: string; size: number }[] = [];
      walk("", (path, node) => {
        if (node.type === "file") found.push({ path, size: node.size });
      });
      return found;
    },
    paths(prefix = "") {
      const found: string[] = [];
      walk(prefix, (path) => found.push(path));
      return found;
    },
    children: (path) =>
      isHidden(path) ? undefined : tree.children(path)?.filter((name) => !rules.hidden(joinPath(path, name))),
    async apply(writes) {
      const changed = applyWrites(root, writes, rules);
      const sources = writes.flatMap((write) => ("delete" in write ? [] : [write.content]));
      if (contents.putAll) await contents.putAll(sources);
      else for (const source of sources) await contents.put(source);
      return createWorkTree(context, changed, root);
    },
    entriesSince(before) {
      if (since?.before !== before)
        since = { before, entries: diffTrees(rootOfTree.get(before) ?? snapshot.root, root) };
      return since.entries;
    },
    async diff(before) {
      const { diffLayer } = await import("../layers/diff-layer.ts");
      const readBlob = (sha256: string) => contents.read(sha256);
      if (before) {
        const readBase = (path: string) => before.read(path);
        return diffLayer({ entries: self.entriesSince(before) }, { readBase, readBlob, isHidden });
      }
      const was = (path: string) => snapshot.lookup(path)?.sha256;
      const readBase = async (path: string) => (await find(was(path) ?? "", path)) ?? context.readBase(path);
      return diffLayer(self.layer, { readBase, readBlob, isHidden });
    },
  };
  rootOfTree.set(self, root);
  return self;
}

function describeLayer(
  { workspace, snapshot, denied }: TreeContext,
  root: TreeDirectory,
  from: TreeDirectory | undefined,
): Layer {
  return {
    version: 1,
    workspace,
    baseHash: snapshot.treeHash,
    treeHash: root.hash,
    entries: describeEntries(snapshot.root, root, from),
    changedUnderneath: [],
    denied: [...denied],
  };
}

function changedMeanwhile(path: string): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    `${path} has changed in the workspace since it was looked at.`,
    "Look at the workspace again, and start from there.",
    { path },
  );
}

type Visit = (path: string, node: TreeNode) => void;

type HiddenNames = ReadonlyMap<string, ReadonlySet<string>>;

/** Most directories hold nothing hidden: none of their names has to be looked for. */
function groupByDirectory(paths: readonly string[]): HiddenNames {
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    const slash = path.lastIndexOf("/");
    const directory = path.slice(0, Math.max(slash, 0));
    names.set(directory, (names.get(directory) ?? new Set()).add(path.slice(slash + 1)));
  }
  return names;
}

function walkDirectory(directory: TreeDirectory, path: string, hidden: HiddenNames, visit: Visit): void {
  const hiddenHere = hidden.get(path);
  for (const [name, node] of directory.entries) {
    if (hiddenHere?.has(name)) continue;
    const child = joinPath(path, name);
    visit(child, node);
    if (node.type === "directory") walkDirectory(node, child, hidden, visit);
  }
}
