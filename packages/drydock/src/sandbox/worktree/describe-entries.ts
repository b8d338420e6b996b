import type { LayerEntry } from "@drydock/protocol";
import { diffTrees, extendDiff, type TreeDirectory } from "../layers/index.ts";

const described = new WeakMap<TreeDirectory, { base: TreeDirectory; entries: LayerEntry[] }>();

/**
 * What turns the base into a tree. `from` is the tree that this one was made from: in a long chain of tasks each tree holds
 * the changes of all tasks before, and only what the last one changed is looked at.
 */
export function describeEntries(base: TreeDirectory, root: TreeDirectory, from?: TreeDirectory): LayerEntry[] {
  const known = described.get(root);
  if (known?.base === base) return known.entries;
  const earlier = from && described.get(from);
  const entries =
    from && earlier?.base === base ? extendDiff(earlier.entries, base, from, root) : diffTrees(base, root);
  described.set(root, { base, entries });
  return entries;
}
