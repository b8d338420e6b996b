import type { LayerEntry } from "@drydock/protocol";
import { parentOf } from "../plan-delivery.ts";
import { isRepositoryName } from "./fold-name.ts";
import type { TreeView } from "./tree-view.ts";

/** As many as Linux follows. */
const MAX_LINKS = 40;

export type LinkEnd = { kind: "inside"; path: string } | { kind: "outside" | "repository" | "endless" };

/** Where a symlink at `path` leads in this tree, through all other symlinks. Nothing has to be there. */
export async function followLink(tree: TreeView, path: string, target: string): Promise<LinkEnd> {
  const place = parentOf(path).split("/").filter(Boolean);
  const names: string[] = [];
  let links = 0;
  const enter = (next: string): boolean => {
    links += 1;
    names.unshift(...next.split("/"));
    // A backslash or a drive letter leads elsewhere on Windows, where the tree may be checked out.
    return !next.startsWith("/") && !next.includes("\\") && !/^[a-z]:/i.test(next);
  };
  if (!enter(target)) return { kind: "outside" };
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (place.pop() === undefined) return { kind: "outside" };
      continue;
    }
    if (isRepositoryName(name)) return { kind: "repository" };
    place.push(name);
    const node = await tree.peek(place.join("/"));
    if (node.type !== "symlink") continue;
    place.pop();
    if (!enter(node.target)) return { kind: "outside" };
    if (links > MAX_LINKS) return { kind: "endless" };
  }
  return { kind: "inside", path: place.join("/") };
}

/** New or changed symlinks that lead out of the tree or into a repository's own files. Endless ones lead nowhere. */
export async function findEscapingLinks(tree: TreeView, entries: readonly LayerEntry[]): Promise<string[]> {
  const found: string[] = [];
  for (const { path, kind, type, target = "", wasType, wasTarget } of entries) {
    if (kind === "deleted" || type !== "symlink" || (wasType === "symlink" && wasTarget === target)) continue;
    const { kind: end } = await followLink(tree, path, target);
    if (end === "outside" || end === "repository") found.push(path);
  }
  return found;
}
