import type { Drafts, TreeRules, Workbench, WorkTree } from "../../sandbox/index.ts";
import type { JudgedTree } from "./judged-tree.ts";

/** A tree as its judge sees it: for a control, files are changed that no task may write. Nothing of that is kept. */
export function toJudgedTree(
  workbench: Workbench,
  tree: WorkTree,
  drafts?: Drafts,
): JudgedTree & Required<Pick<JudgedTree, "edit">> {
  const rules: TreeRules = { ...workbench.rules, writable: () => true };
  return {
    treeHash: tree.treeHash,
    layer: tree.layer,
    drafts,
    lookup: (path) => tree.lookup(path),
    read: (path) => tree.read(path),
    paths: (prefix) => tree.paths(prefix),
    async edit(edits) {
      const added: Drafts = new Map(drafts);
      return toJudgedTree(workbench, await workbench.tree(tree.layer, rules, added).apply(edits), added);
    },
  };
}
