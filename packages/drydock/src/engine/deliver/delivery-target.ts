import { createHash } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { access, chmod, type FileHandle, lchown, lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { DrydockError } from "@drydock/protocol";
import { decodePath, encodePath } from "../../sandbox/index.ts";
import type { PathState } from "./path-state.ts";
import type { TreeViewNode } from "./traps/tree-view.ts";

// Node does not name this flag: a handle that only stands for a place, and needs no permission to read it.
const O_PATH = 0o10000000;
const STEP_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CHUNK_BYTES = 1 << 16;

export interface FileOwner {
  uid: number;
  gid: number;
}

export interface PathInfo {
  state: PathState;
  owner: FileOwner | null;
  /** Changes with every change of what stands there; empty where nothing does. */
  stamp: string;
}

/**
 * A workspace to which changes are delivered. Each part of a path is opened relative to the handle of the part before
 * (`/proc/self/fd` is Node's openat), and no symlink is followed: neither a symlink nor somebody who swaps directories
 * meanwhile makes a delivery read or write outside.
 */
export interface DeliveryTarget {
  readonly workspace: string;
  look(path: string): Promise<PathInfo>;
  /** What kind of thing is there, without reading its content. */
  peek(path: string): Promise<TreeViewNode>;
  /** Only whether it is still what was looked at. */
  stamp(path: string): Promise<string>;
  /** Gives an address of the path that holds while `use` is at work. ENOENT or ENOTDIR where its directory is none. */
  at<T>(path: string, use: (address: Buffer) => Promise<T>): Promise<T>;
  openFile(path: string): Promise<FileHandle>;
  /** Undefined where there is no such directory. */
  list(path: string): Promise<string[] | undefined>;
  /** None where there is no such directory, or none that may be read. */
  listTypes(path: string): Promise<{ name: string; type: "directory" | "symlink" | "other" }[]>;
  mayChange(directory: string): Promise<boolean>;
  setMode(directory: string, mode: number): Promise<void>;
  setOwner(path: string, owner: FileOwner): Promise<void>;
  /** On disk, what happened to the names in it. A directory that is gone needs none of it. */
  syncDirectory(path: string): Promise<void>;
  close(): Promise<void>;
}

export async function openDeliveryTarget(workspace: string): Promise<DeliveryTarget> {
  const root = await openRoot(workspace);

  async function openDirectory(path: string): Promise<FileHandle> {
    let place = await open(`/proc/self/fd/${root.fd}`, O_PATH | constants.O_DIRECTORY);
    for (const name of path === "" ? [] : path.split("/")) {
      try {
        const next = await open(below(place, name), STEP_FLAGS);
        await place.close();
        place = next;
      } catch (error) {
        await place.close();
        throw error;
      }
    }
    return place;
  }

  async function at<T>(path: string, use: (address: Buffer) => Promise<T>): Promise<T> {
    const cut = path.lastIndexOf("/");
    const place = await openDirectory(cut < 0 ? "" : path.slice(0, cut));
    try {
      return await use(below(place, path.slice(cut + 1)));
    } finally {
      await place.close();
    }
  }

  async function within<T>(directory: string, use: (address: string) => Promise<T>): Promise<T> {
    const place = await openDirectory(directory);
    try {
      return await use(`/proc/self/fd/${place.fd}`);
    } finally {
      await place.close();
    }
  }

  return {
    workspace,
    at,
    look: async (path) => {
      try {
        return await at(path, lookAt);
      } catch (error) {
        const code = errnoOf(error);
        if (code === "ENOENT") return { state: { type: "absent" }, owner: null, stamp: "" };
        if (code === "ENOTDIR" || code === "ELOOP") return { state: { type: "blocked" }, owner: null, stamp: "" };
        throw error;
      }
    },
    peek: async (path) => {
      try {
        return await at(path === "" ? "." : path, peekAt);
      } catch (error) {
        if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error))) return { type: "absent" };
        throw error;
      }
    },
    stamp: async (path) => {
      try {
        return await at(path, async (address) => stampOf(await lstat(address, { bigint: true })));
      } catch (error) {
        if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error))) return "";
        throw error;
      }
    },
    openFile: (path) => at(path, openRegular),
    list: async (path) => {
      try {
        const names = await within(path, (address) => readdir(Buffer.from(`${address}/.`), { encoding: "buffer" }));
        return names.map((name) => decodePath(name));
      } catch (error) {
        if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error))) return undefined;
        throw error;
      }
    },
    listTypes: async (path) => {
      try {
        const options = { encoding: "buffer", withFileTypes: true } as const;
        const found = await within(path, (address) => readdir(Buffer.from(`${address}/.`), options));
        return found.map((each) => ({ name: decodePath(each.name), type: typeOf(each) }));
      } catch (error) {
        if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES"].includes(errnoOf(error))) return [];
        throw error;
      }
    },
    mayChange: async (directory) => {
      try {
        await within(directory, (address) => access(`${address}/.`, constants.W_OK | constants.X_OK));
        return true;
      } catch {
        return false;
      }
    },
    setMode: (directory, mode) => within(directory, (address) => chmod(`${address}/.`, mode)),
    setOwner: (path, owner) => at(path, (address) => giveTo(address, owner)),
    syncDirectory: async (path) => {
      try {
        await within(path, async (address) => {
          const handle = await open(`${address}/.`, constants.O_RDONLY | constants.O_DIRECTORY);
          await handle.sync().finally(() => handle.close());
        });
      } catch (error) {
        if (!["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(error))) throw error;
      }
    },
    close: () => root.close(),
  };
}

function typeOf(entry: Dirent<Buffer>): "directory" | "symlink" | "other" {
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

export function errnoOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The whole content, hashed, in pieces of bounded size. */
export async function hashHandle(handle: FileHandle, onChunk?: (bytes: Buffer) => Promise<void>): Promise<string> {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return digest.digest("hex");
    const bytes = buffer.subarray(0, bytesRead);
    digest.update(bytes);
    await onChunk?.(bytes);
    position += bytesRead;
  }
}

/** As root, new files get the owner of their directory. Other users can only set the group. */
async function giveTo(address: Buffer, { uid, gid }: FileOwner): Promise<void> {
  if (process.geteuid?.() === 0) return lchown(address, uid, gid);
  const now = await lstat(address);
  if (now.gid !== gid) await lchown(address, now.uid, gid).catch(() => {});
}

async function openRoot(workspace: string): Promise<FileHandle> {
  try {
    if ((await realpath(workspace)) !== workspace) throw new Error("a part of its path has become a symbolic link");
    return await open(workspace, STEP_FLAGS);
  } catch (error) {
    const why = errnoOf(error) === "ENOENT" ? "it is not there any more" : (error as Error).message;
    throw new DrydockError(
      "delivery.conflict",
      `Nothing can be delivered to ${workspace}: ${why}.`,
      "Move the directory back to this path, and try again. The changes are kept.",
      { workspace },
      error,
    );
  }
}

async function lookAt(address: Buffer): Promise<PathInfo> {
  const stat = await lstat(address, { bigint: true });
  const mode = Number(stat.mode) & 0o7777;
  const seen = { owner: { uid: Number(stat.uid), gid: Number(stat.gid) }, stamp: stampOf(stat) };
  if (stat.isDirectory()) return { ...seen, state: { type: "directory", mode } };
  if (stat.isSymbolicLink()) {
    const target = decodePath(await readlink(address, { encoding: "buffer" }));
    return { ...seen, state: { type: "symlink", target } };
  }
  if (!stat.isFile()) return { ...seen, state: { type: "other" } };
  return { ...seen, state: { type: "file", mode, sha256: await hashAt(address) } };
}

async function peekAt(address: Buffer): Promise<TreeViewNode> {
  const stat = await lstat(address);
  if (stat.isDirectory()) return { type: "directory", mode: stat.mode & 0o7777 };
  if (stat.isFile()) return { type: "file" };
  if (!stat.isSymbolicLink()) return { type: "other" };
  return { type: "symlink", target: decodePath(await readlink(address, { encoding: "buffer" })) };
}

async function hashAt(address: Buffer): Promise<string | null> {
  try {
    const handle = await openRegular(address);
    return await hashHandle(handle).finally(() => handle.close());
  } catch (error) {
    if (errnoOf(error) === "EACCES" || errnoOf(error) === "EPERM") return null;
    throw error;
  }
}

async function openRegular(address: Buffer): Promise<FileHandle> {
  const handle = await open(address, FILE_FLAGS);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw Object.assign(new Error("no regular file"), { code: "ENOENT" });
}

function stampOf(stat: { ino: bigint; size: bigint; mode: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return [stat.ino, stat.size, stat.mode, stat.mtimeNs, stat.ctimeNs].join(":");
}

function below(place: FileHandle, name: string): Buffer {
  return encodePath(`/proc/self/fd/${place.fd}/${name}`);
}
