import { hash } from "node:crypto";
import { comparePaths, encodePath } from "./path-bytes.ts";

/**
 * A directory as an immutable Merkle tree: a changed tree shares every untouched node with the one it came from.
 *
 * The hash of a directory is the sha256 of
 *
 *     "drydock-tree-1\n"  then, for each entry in byte order of its name,
 *     KIND MODE " " DIGEST " " NAME "\0"
 *
 * KIND is one letter: `f` file, `l` symlink, `d` directory, and `F` or `D` for a file or directory that we may not read.
 * MODE is the permission bits (07777) as four octal digits; a symlink's is always 0777. DIGEST is 64 hexadecimal digits:
 * the sha256 of a file's content or of a symlink's target, the hash of a directory, zeros for what can't be read (so
 * such a tree's hash says that something is there, and nothing about what is in it). NAME is the raw bytes, which can
 * hold neither NUL nor "/". The root's own mode is nobody's line, so it does not count.
 */
export const TREE_FORMAT = "drydock-tree-1\n";

export interface TreeFile {
  readonly type: "file";
  readonly mode: number;
  readonly size: number;
  /** Absent: the file may not be read. */
  readonly sha256?: string;
}

export interface TreeSymlink {
  readonly type: "symlink";
  readonly mode: number;
  readonly target: string;
}

export interface TreeDirectory {
  readonly type: "directory";
  readonly mode: number;
  readonly hash: string;
  /** In byte order of the names. */
  readonly entries: ReadonlyMap<string, TreeNode>;
  readonly filesCount: number;
  /** Set where the directory may not be listed. */
  readonly unreadable?: true;
}

export type TreeNode = TreeFile | TreeSymlink | TreeDirectory;

export const SYMLINK_MODE = 0o777;
export const EMPTY_SHA256 = hash("sha256", "");
const UNREADABLE_DIGEST = "0".repeat(64);

/** What a workspace's tree leaves out: the version store and our own files, at the top only. */
export function isOutsideTree(path: string): boolean {
  return path === ".git" || path === ".drydock" || path.startsWith(".git/") || path.startsWith(".drydock/");
}

export function createDirectoryNode(mode: number, unsorted: Iterable<[string, TreeNode]>): TreeDirectory {
  const sorted = [...unsorted].sort((left, right) => comparePaths(left[0], right[0]));
  let filesCount = 0;
  let lines = TREE_FORMAT;
  for (const [name, node] of sorted) {
    filesCount += node.type === "directory" ? node.filesCount : 1;
    lines += `${lineHead(node)}${name}\0`;
  }
  const digest = hash("sha256", lines.isWellFormed() ? lines : encodeLines(sorted));
  return { type: "directory", mode, hash: digest, entries: new Map(sorted), filesCount };
}

/** The directory that another one was made from, as long as somebody has it. */
const origins = new WeakMap<TreeDirectory, WeakRef<TreeDirectory>>();

/** A directory that is another one with changes: what is known of the one need not be found out again for the other. */
export function deriveDirectoryNode(from: TreeDirectory | undefined, ...made: Parameters<typeof createDirectoryNode>) {
  const directory = createDirectoryNode(...made);
  if (from) origins.set(directory, new WeakRef(from));
  return directory;
}

export function originOf(directory: TreeDirectory): TreeDirectory | undefined {
  return origins.get(directory)?.deref();
}

export function createUnreadableDirectory(mode: number): TreeDirectory {
  return { type: "directory", mode, hash: UNREADABLE_DIGEST, entries: new Map(), filesCount: 0, unreadable: true };
}

export const EMPTY_TREE = createDirectoryNode(0o755, []);

export function findNode(root: TreeDirectory, path: string): TreeNode | undefined {
  if (path === "") return root;
  let node: TreeNode | undefined = root;
  for (const name of path.split("/")) {
    if (node?.type !== "directory") return undefined;
    node = node.entries.get(name);
  }
  return node;
}

export function isSameNode(left: TreeNode, right: TreeNode): boolean {
  return left === right || lineHead(left) === lineHead(right);
}

/** Few modes are ever in use, and a tree has many entries. */
const modeTexts: string[] = [];

function formatMode(mode: number): string {
  const known = modeTexts[mode];
  if (known !== undefined) return known;
  const text = mode.toString(8).padStart(4, "0");
  modeTexts[mode] = text;
  return text;
}

function lineHead(node: TreeNode): string {
  const mode = formatMode(node.mode);
  switch (node.type) {
    case "file":
      return node.sha256 === undefined ? `F${mode} ${UNREADABLE_DIGEST} ` : `f${mode} ${node.sha256} `;
    case "symlink":
      return `l${mode} ${hash("sha256", encodePath(node.target))} `;
    case "directory":
      return `${node.unreadable ? "D" : "d"}${mode} ${node.hash} `;
    default:
      return node satisfies never;
  }
}

function encodeLines(sorted: [string, TreeNode][]): Buffer {
  const parts: Buffer[] = [Buffer.from(TREE_FORMAT)];
  for (const [name, node] of sorted) parts.push(Buffer.from(lineHead(node)), encodePath(name), Buffer.from("\0"));
  return Buffer.concat(parts);
}
