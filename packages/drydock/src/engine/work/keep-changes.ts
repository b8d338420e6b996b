import { DrydockError } from "@drydock/protocol";
import { isNeverWritten, type TreeRules, type TreeWrite, type WorkTree } from "../../sandbox/index.ts";

/** Caches that tools leave behind for their own next start: not part of the work. */
const LITTER = /(^|\/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|node_modules\/\.cache)(\/|$)/;
const PERMISSIONS = 0o777;

export interface CapturedChanges {
  tree: WorkTree;
  /** Changed by the command, and not taken over: outside the scope, or no plain file. */
  dropped: string[];
}

/** Takes what a command changed into the tree, as far as the task may change it. */
export async function keepChanges(tree: WorkTree, after: WorkTree, rules: TreeRules): Promise<CapturedChanges> {
  const touched = new Set([...tree.layer.entries, ...after.layer.entries].map((entry) => entry.path));
  const [files, directories]: [string[], string[]] = [[], []];
  const writes: Extract<TreeWrite, { content: Uint8Array }>[] = [];
  const dropped: string[] = [];
  for (const path of [...touched].sort()) {
    const [was, is] = [tree.lookup(path), after.lookup(path)];
    const isSame = was?.sha256 === is?.sha256 && was?.mode === is?.mode && was?.target === is?.target;
    if (was?.type === is?.type && (isSame || is?.type === "directory")) continue;
    if (LITTER.test(path) || (is?.type === "directory" && !was)) continue;
    if (!rules.writable(path) || isNeverWritten(path) || is?.type === "symlink") {
      dropped.push(path);
      continue;
    }
    // What gives its place to something of another kind goes first.
    if (was?.type === "directory") directories.unshift(path);
    else if (was && is?.type !== "file") files.push(path);
    const content = is?.type === "file" ? await after.read(path) : null;
    if (is && content) writes.push({ path, content, mode: is.mode & PERMISSIONS });
  }
  let kept = await applyAll(tree, files.map(removal));
  for (const path of directories) kept = await removeDirectory(kept, path, dropped);
  const blocked = new Set(dropped);
  kept = await applyAll(
    kept,
    writes.filter(({ path }) => !blocked.has(path)),
  );
  return { tree: kept, dropped };
}

function removal(path: string): TreeWrite {
  return { path, delete: true };
}

async function applyAll(tree: WorkTree, writes: readonly TreeWrite[]): Promise<WorkTree> {
  return writes.length === 0 ? tree : tree.apply(writes);
}

/** One that still holds what may not be changed, seen or not, stays. */
async function removeDirectory(tree: WorkTree, path: string, dropped: string[]): Promise<WorkTree> {
  try {
    return await tree.apply([removal(path)]);
  } catch (error) {
    if (!(error instanceof DrydockError) || error.code !== "policy.path_denied") throw error;
    dropped.push(path);
    return tree;
  }
}
