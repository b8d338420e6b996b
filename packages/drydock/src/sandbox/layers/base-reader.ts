import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { encodePath } from "./path-bytes.ts";

// Node does not name this flag: a handle that only stands for a place, and needs no permission to read it.
const O_PATH = 0o10000000;
const STEP_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NOT_THERE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EACCES", "EPERM", "ENAMETOOLONG"]);

/**
 * Reads files of a workspace without ever leaving it: each part of the path is opened relative to the handle of the
 * part before (`/proc/self/fd` is Node's openat) and no symlink is followed, so that neither a symlink nor a process
 * that swaps directories meanwhile leads outside. Null: there is no regular file that we may read, or it is larger than
 * the limit.
 */
export function createBaseReader(
  workspace: string,
  maxBytes = Number.POSITIVE_INFINITY,
): (path: string) => Promise<Buffer | null> {
  return async (path) => {
    const names = path.split("/");
    const last = names.pop();
    if (!last || [...names, last].some((name) => name === "" || name === "." || name === "..")) return null;
    let place: FileHandle | undefined;
    try {
      place = await open(workspace, O_PATH | constants.O_DIRECTORY);
      for (const name of names) {
        const next = await open(below(place, name), STEP_FLAGS);
        await place.close();
        place = next;
      }
      const file = await open(below(place, last), FILE_FLAGS);
      try {
        const stat = await file.stat();
        return stat.isFile() && stat.size <= maxBytes ? await file.readFile() : null;
      } finally {
        await file.close();
      }
    } catch (error) {
      if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? "")) return null;
      throw error;
    } finally {
      await place?.close();
    }
  };
}

function below(place: FileHandle, name: string): Buffer {
  return encodePath(`/proc/self/fd/${place.fd}/${name}`);
}
