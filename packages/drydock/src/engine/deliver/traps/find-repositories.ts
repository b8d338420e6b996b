import type { LayerEntry } from "@drydock/protocol";
import { parentOf } from "../plan-delivery.ts";
import { foldName } from "./fold-name.ts";
import type { TreeView } from "./tree-view.ts";

/**
 * Paths that lie in a directory which git takes for a repository once they are delivered. Git needs no `.git` for that:
 * `HEAD` with `objects` and `refs`, or with a `commondir` that names another directory, makes a bare repository of any
 * directory, and git runs the programs that its `config` names as soon as a user works in it. The content need not be
 * valid: a later change could make it so.
 */
export async function findInRepositories(tree: TreeView, entries: readonly LayerEntry[]): Promise<string[]> {
  const known = new Map<string, Promise<boolean>>();
  const isInRepository = async (directory: string): Promise<boolean> => {
    const found = known.get(directory) ?? looksLikeRepository(tree, directory);
    known.set(directory, found);
    return (await found) || (directory !== "" && (await isInRepository(parentOf(directory))));
  };
  const inside: string[] = [];
  for (const { path } of entries) if (await isInRepository(parentOf(path))) inside.push(path);
  return inside;
}

async function looksLikeRepository(tree: TreeView, directory: string): Promise<boolean> {
  const names = new Set((await tree.list(directory)).map(foldName));
  return names.has("head") && (names.has("commondir") || (names.has("objects") && names.has("refs")));
}
