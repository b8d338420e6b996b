import type { TreeRules, TreeWrite, WorkTree } from "../../sandbox/index.ts";

/** What tools leave behind for their own next start: nobody's work. */
const LITTER = /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|node_modules\/\.cache)(\/|$)/;

export interface Kept {
  tree: WorkTree;
  /** Changed by the command, and not taken over: outside the scope. */
  dropped: string[];
}

/** Takes what a command changed into the tree, as far as the task may change it. */
export async function keepChanges(tree: WorkTree, after: WorkTree, rules: TreeRules): Promise<Kept> {
  const touched = new Set([...tree.layer.entries, ...after.layer.entries].map((entry) => entry.path));
  const writes: TreeWrite[] = [];
  const dropped: string[] = [];
  for (const path of [...touched].sort()) {
    const [was, is] = [tree.lookup(path), after.lookup(path)];
    if (was?.type === is?.type && was?.sha256 === is?.sha256 && was?.mode === is?.mode) continue;
    if (LITTER.test(path) || is?.type === "directory") continue;
    if (!rules.writable(path) || is?.type === "symlink") {
      dropped.push(path);
      continue;
    }
    const content = is ? await after.read(path) : null;
    if (is && content) writes.push({ path, content, mode: is.mode });
    else if (was && !isBelowDeleted(writes, path)) writes.push({ path, delete: true });
  }
  return { tree: writes.length === 0 ? tree : await tree.apply(writes), dropped };
}

/** A deleted directory took it along. */
function isBelowDeleted(writes: readonly TreeWrite[], path: string): boolean {
  return writes.some((write) => "delete" in write && path.startsWith(`${write.path}/`));
}
