import { DrydockError } from "@drydock/protocol";
import { deriveDirectoryNode, type TreeDirectory, type TreeNode } from "../layers/index.ts";

interface DraftDirectory {
  readonly type: "draft";
  readonly mode: number;
  readonly entries: Map<string, TreeNode | DraftDirectory>;
  readonly from?: TreeDirectory;
}

/** A tree while it is being changed. Directories are opened where a change leads through them; all others stay shared. */
export interface TreeDraft {
  /** What is there now; a directory that was changed since is only known as one. */
  find(path: string): { type: TreeNode["type"]; mode: number } | undefined;
  place(path: string, node: TreeNode): void;
  remove(path: string): void;
  /** Every path below a directory. */
  below(path: string): string[];
  finish(): TreeDirectory;
}

const NEW_DIRECTORY_MODE = 0o755;

export function createTreeDraft(root: TreeDirectory): TreeDraft {
  const top = openDirectory(root);

  const find = (path: string): TreeNode | DraftDirectory | undefined => {
    let node: TreeNode | DraftDirectory | undefined = top;
    for (const name of path.split("/")) {
      if (node?.type !== "draft" && node?.type !== "directory") return undefined;
      node = node.entries.get(name);
    }
    return node;
  };

  /** The directory that holds the path, with the way to it made where it is missing. */
  const openParent = (path: string): { parent: DraftDirectory; name: string } => {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let parent = top;
    for (const [depth, step] of names.entries()) {
      const found = parent.entries.get(step);
      const next = enter(found, path, names.slice(0, depth + 1).join("/"));
      if (next !== found) parent.entries.set(step, next);
      parent = next;
    }
    return { parent, name };
  };

  return {
    find(path) {
      const node = find(path);
      return node && { type: node.type === "draft" ? "directory" : node.type, mode: node.mode };
    },
    place(path, node) {
      const { parent, name } = openParent(path);
      parent.entries.set(name, node);
    },
    remove(path) {
      const { parent, name } = openParent(path);
      parent.entries.delete(name);
    },
    below(path) {
      const found: string[] = [];
      collect(find(path), path, found);
      return found;
    },
    finish: () => closeDirectory(top),
  };
}

function openDirectory(from: TreeDirectory): DraftDirectory {
  return { type: "draft", mode: from.mode, entries: new Map(from.entries), from };
}

function enter(node: TreeNode | DraftDirectory | undefined, path: string, at: string): DraftDirectory {
  switch (node?.type) {
    case undefined:
      return { type: "draft", mode: NEW_DIRECTORY_MODE, entries: new Map() };
    case "draft":
      return node;
    case "directory":
      return openDirectory(node);
    case "symlink":
      throw new DrydockError(
        "policy.path_denied",
        `${path} leads through ${at}, which is a symlink: no link is followed.`,
        "Name the path that the link points to, if it lies in the workspace, or delete the link first.",
        { path, at },
      );
    case "file":
      throw new DrydockError(
        "input.invalid",
        `${path} leads through ${at}, which is a file.`,
        "Choose another path, or delete the file first.",
        { path, at },
      );
    default:
      return node satisfies never;
  }
}

function collect(node: TreeNode | DraftDirectory | undefined, path: string, paths: string[]): void {
  if (node?.type !== "draft" && node?.type !== "directory") return;
  for (const [name, child] of node.entries) {
    paths.push(`${path}/${name}`);
    collect(child, `${path}/${name}`, paths);
  }
}

function closeDirectory({ mode, entries, from }: DraftDirectory): TreeDirectory {
  const closed: [string, TreeNode][] = [];
  for (const [name, node] of entries) closed.push([name, node.type === "draft" ? closeDirectory(node) : node]);
  return deriveDirectoryNode(from, mode, closed);
}
