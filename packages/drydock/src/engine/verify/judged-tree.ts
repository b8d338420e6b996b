import type { Layer } from "@drydock/protocol";
import type { Drafts, SnapshotEntry } from "../../sandbox/index.ts";

/** What one path of a tree is. A file without `sha256` is one that may not be read. */
export type JudgedEntry = SnapshotEntry;

/** What a judge needs of a tree; a work tree of the sandbox is one. What the policy hides does not exist in it. */
export interface JudgedTree {
  readonly treeHash: string;
  /** The layer that runs on this tree start with; null: the directory as it is. */
  readonly layer: Layer | null;
  /** Contents of the layer that no store holds. */
  readonly drafts?: Drafts;
  lookup(path: string): JudgedEntry | undefined;
  /** Null: no file is there that may be read. A symlink is never followed. */
  read(path: string): Promise<Buffer | null>;
  paths(prefix?: string): string[];
  /** The same with some files replaced, added or taken away, whatever a task may write; absent where that can't be done. */
  edit?(edits: readonly TreeEdit[]): Promise<JudgedTree>;
}

export type TreeEdit = { path: string; content: Uint8Array } | { path: string; delete: true };

export type Resolved =
  | { kind: "found"; path: string; entry: JudgedEntry }
  | { kind: "missing" }
  /** A symlink on the way leads out of the tree, or round in circles. */
  | { kind: "outside"; link: string; target: string };

const MAX_LINKS = 16;

/** Follows symlinks as far as they stay in the tree: files outside of it are no evidence. */
export function resolveInTree(tree: JudgedTree, path: string, onLink?: (link: string) => unknown): Resolved {
  let parts = path.split("/");
  let place: string[] = [];
  for (let links = 0; parts.length > 0; ) {
    const [name = "", ...rest] = parts;
    parts = rest;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (place.length === 0) return { kind: "missing" };
      place = place.slice(0, -1);
      continue;
    }
    const here = [...place, name].join("/");
    const entry = tree.lookup(here);
    if (!entry) return { kind: "missing" };
    if (entry.type !== "symlink") {
      place = [...place, name];
      continue;
    }
    const target = entry.target ?? "";
    onLink?.(here);
    if (++links > MAX_LINKS || target.startsWith("/") || leavesTree(place, target)) {
      return { kind: "outside", link: here, target };
    }
    parts = [...target.split("/"), ...parts];
  }
  const found = place.join("/");
  const entry = found === "" ? ({ type: "directory", mode: 0o755 } as const) : tree.lookup(found);
  return entry ? { kind: "found", path: found, entry } : { kind: "missing" };
}

/** Whatever a path stands for: itself, each symlink on the way, and where they lead to. */
export function listNames(tree: JudgedTree, path: string): string[] {
  const names = [path];
  const found = resolveInTree(tree, path, (link) => names.push(link));
  if (found.kind === "found" && found.path !== "") names.push(found.path);
  return [...new Set(names)];
}

function leavesTree(place: readonly string[], target: string): boolean {
  let depth = place.length;
  for (const name of target.split("/")) {
    if (name === "..") depth -= 1;
    else if (name !== "" && name !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
