import type { LayerEntry } from "@drydock/protocol";
import type { DeliveryTarget } from "../delivery-target.ts";
import { parentOf } from "../plan-delivery.ts";
import { isRepositoryName } from "./fold-name.ts";

export type TreeViewNode =
  | { type: "absent" | "file" | "other" }
  | { type: "directory"; mode: number }
  | { type: "symlink"; target: string };

/** A tree that can be looked at without reading the content of files. The root is the empty path. */
export interface TreeView {
  peek(path: string): Promise<TreeViewNode>;
  /** The names in a directory; none where there is no directory. */
  list(path: string): Promise<string[]>;
  /** Every symlink, but for those of installed packages and of repositories' own files. */
  links(): Promise<string[]>;
}

const ABSENT: TreeViewNode = { type: "absent" };

/** The workspace as it is. */
export function viewTarget(target: DeliveryTarget): TreeView {
  const list = async (path: string) => (await target.list(path)) ?? [];
  return { peek: target.peek, list, links: () => listLinks(target) };
}

/** So many directories are listed at once: most of the time goes by in waiting. */
const AT_ONCE = 16;

async function listLinks(target: DeliveryTarget): Promise<string[]> {
  const found: string[] = [];
  const directories = [""];
  const list = async (directory: string) => ({ directory, entries: await target.listTypes(directory) });
  for (let next = directories.splice(0, AT_ONCE); next.length > 0; next = directories.splice(0, AT_ONCE)) {
    for (const { directory, entries } of await Promise.all(next.map(list))) {
      for (const { name, type } of entries) {
        const path = directory === "" ? name : `${directory}/${name}`;
        if (type === "symlink") found.push(path);
        if (type === "directory" && !isPassedOver(name)) directories.push(path);
      }
    }
  }
  return found;
}

export function isPassedOver(name: string): boolean {
  return name === "node_modules" || isRepositoryName(name);
}

/** The tree as it is once the entries are delivered into `base`. */
export function createResultTree(base: TreeView, entries: readonly LayerEntry[]): TreeView {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const children = new Map<string, Set<string>>();
  for (const { path, kind } of entries) {
    if (kind === "deleted") continue;
    // A git tree has no entries for directories: what lies in one brings it along.
    for (let at = path; at !== ""; at = parentOf(at)) {
      const names = children.get(parentOf(at)) ?? new Set();
      children.set(parentOf(at), names.add(at.slice(at.lastIndexOf("/") + 1)));
    }
  }
  const isReplaced = (path: string): boolean => {
    const entry = byPath.get(path);
    if (entry && entry.kind !== "deleted" && entry.type !== "directory") return true;
    return path !== "" && isReplaced(parentOf(path));
  };
  return {
    async peek(path) {
      const entry = byPath.get(path);
      if (entry && entry.kind !== "deleted") return toNode(entry);
      if (children.has(path)) return { type: "directory", mode: 0o755 };
      return entry || isReplaced(parentOf(path)) ? ABSENT : base.peek(path);
    },
    async list(path) {
      const kept = isReplaced(path) ? [] : await base.list(path);
      const isGone = (name: string) => byPath.get(path === "" ? name : `${path}/${name}`)?.kind === "deleted";
      return [...new Set([...kept.filter((name) => !isGone(name)), ...(children.get(path) ?? [])])];
    },
    async links() {
      const kept = (await base.links()).filter((path) => !byPath.has(path) && !isReplaced(parentOf(path)));
      const placed = entries.filter(({ kind, type }) => kind !== "deleted" && type === "symlink");
      return [...kept, ...placed.map(({ path }) => path)];
    },
  };
}

function toNode({ type, mode, target }: LayerEntry): TreeViewNode {
  if (type === "directory") return { type, mode };
  return type === "symlink" ? { type, target: target ?? "" } : { type };
}
