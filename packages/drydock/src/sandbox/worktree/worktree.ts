import type { Layer, LayerEntry } from "@drydock/protocol";
import type { PathRules } from "../../policy/index.ts";
import type { SnapshotEntry } from "../layers/index.ts";
import type { Drafts } from "./draft-contents.ts";

/** Where the contents of layers lie, by hash: the ledger's store, bound to a run. */
export interface TreeContents {
  read(sha256: string): Promise<Buffer>;
  put(bytes: Uint8Array): Promise<{ sha256: string; size: number }>;
  /** Many at once; the results are in the order of the sources. */
  putAll?(sources: readonly Uint8Array[]): Promise<{ sha256: string; size: number }[]>;
  /** The file that holds a content, if one does: large ones are sent from there, piece by piece. */
  path?(sha256: string): Promise<string | undefined>;
}

/** `scope` is what the rules let be written, in words: a refusal names it. */
export interface TreeRules extends PathRules {
  readonly scope?: readonly string[];
}

export type TreeWrite =
  /** Without `mode`: that of the file it replaces, else 0644. */
  { path: string; content: Uint8Array; mode?: number } | { path: string; delete: true };

export type MergedLayer = { ok: true; layer: Layer } | { ok: false; conflicts: string[] };

/** A workspace as it was at one moment, on which layers are looked at, changed and put together. Nothing here writes to it. */
export interface Workbench {
  readonly workspace: string;
  /** Of the untouched workspace. */
  readonly treeHash: string;
  /** What the policy lets be seen and written. Keep the same object if nothing changes: results are cached by it. */
  readonly rules: TreeRules;
  /**
   * The workspace with the layer on it; null: untouched. `rules` narrow what is seen and written. A layer that was made
   * over another state of the directory is refused with `delivery.conflict`: rebase it first. With `drafts`, the contents
   * of all that is made of this tree go there, and not to the store.
   */
  tree(layer: Layer | null, rules?: TreeRules, drafts?: Drafts): WorkTree;
  /** Looks at the directory again. True: it has changed since, and layers must be rebased. */
  refresh(): Promise<boolean>;
  /** Layers of tasks that worked side by side on this state become one; conflicts are paths. */
  merge(layers: readonly Layer[]): Promise<MergedLayer>;
  /** `ours` with what leads from `base` to `theirs` put on it: how the result of one task joins those of others. */
  combine(base: Layer | null, ours: Layer | null, theirs: Layer | null): Promise<MergedLayer>;
  /** The same changes over the directory as it is since the last `refresh`. */
  rebase(layer: Layer): Promise<MergedLayer>;
  /** Both as one, where `upper` was made on the very tree that `lower` gives; null where it was not. */
  stack(lower: Layer, upper: Layer): Layer | null;
  /** What takes the layer's changes back, where the directory holds them now. */
  undo(layer: Layer): Promise<MergedLayer>;
  /**
   * Keeps what the layer's changed and deleted files were before, so that a later rebase can merge texts, and a replay
   * can start from what was, although the directory has changed. Costs nothing for what is kept already.
   */
  keepOriginals(layer: Layer): Promise<void>;
  close(): Promise<void>;
}

/** A value: changing it gives another one. What the rules hide does not exist in it. */
export interface WorkTree {
  readonly treeHash: string;
  /** Cumulative against the workspace: just what a run that made these changes would have captured. */
  readonly layer: Layer;
  lookup(path: string): SnapshotEntry | undefined;
  /**
   * Null: no file is there that may be read; a symlink is never followed. `delivery.conflict` (with `path`): the file has
   * changed in the workspace since, refresh.
   */
  read(path: string): Promise<Buffer | null>;
  /** Every regular file, in the order of `paths`. */
  files(): { path: string; size: number }[];
  /** Every file, directory and symlink below the prefix (a directory), parents before children. */
  paths(prefix?: string): string[];
  /** Names in byte order; undefined where there is no directory. */
  children(path: string): string[] | undefined;
  /** In order, all or none. `policy.path_denied` for what is out of bounds, `input.invalid` for what can't be done. */
  apply(writes: readonly TreeWrite[]): Promise<WorkTree>;
  /** What leads here from another tree of the same workbench; as entries of a layer over it. */
  entriesSince(before: WorkTree): readonly LayerEntry[];
  /** Against the workspace, or another tree of the same workbench, as a patch that git understands. */
  diff(before?: WorkTree): Promise<string>;
}
