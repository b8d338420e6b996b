import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

// Node does not name this flag: a handle that only stands for a place, and needs no permission to read it.
const O_PATH = 0o10000000;
const STEP_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Writes a new file below a directory, and makes the directories between. Each part of the path is opened relative to the
 * handle of the part before (`/proc/self/fd` is Node's openat), and no link is followed: neither one that is there nor one
 * that is put there meanwhile leads elsewhere. Only the directory itself may be a link.
 */
export async function createBeneath(directory: string, path: string, content: Readable | string): Promise<void> {
  await inParent(directory, path, 0o777, async (at, name) => {
    await using file = await open(at(name), "wx");
    await file.writeFile(content);
  });
}

/**
 * The same for a file that only its owner reads, and that may be there: a reader sees the old one or the new one, and a
 * link in its place is replaced, not followed.
 */
export async function replaceBeneath(directory: string, path: string, content: Uint8Array | string): Promise<void> {
  await inParent(directory, path, 0o700, async (at, name) => {
    // Two processes may write the same file.
    const unfinished = at(`${name}.${randomUUID()}.writing`);
    try {
      {
        await using file = await open(unfinished, "wx", 0o600);
        await file.writeFile(content);
      }
      await rename(unfinished, at(name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  });
}

/** `at` gives the path by which a name in the file's own directory is reached while `act` is at work. */
async function inParent(
  directory: string,
  path: string,
  mode: number,
  act: (at: (name: string) => string, name: string) => Promise<void>,
): Promise<void> {
  const names = path.split("/").filter((name) => name !== "");
  const last = names.pop();
  if (last === undefined || [...names, last].some((name) => name === "." || name === "..")) {
    throw new Error(`${JSON.stringify(path)} is not the name of a file`);
  }
  await mkdir(directory, { recursive: true, mode });
  let place = await open(directory, O_PATH | constants.O_DIRECTORY);
  let shown = directory;
  try {
    for (const name of names) {
      const next = await enter(below(place, name), mode, join(shown, name));
      await place.close();
      place = next;
      shown = join(shown, name);
    }
    await act((name) => below(place, name), last);
  } catch (error) {
    // Our detour says nothing to people.
    if (error instanceof Error) error.message = error.message.replaceAll(below(place, ""), join(shown, "/"));
    throw error;
  } finally {
    await place.close();
  }
}

/** `shown`: the path as people know it. */
async function enter(path: string, mode: number, shown: string): Promise<FileHandle> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  try {
    return await open(path, STEP_FLAGS);
  } catch (error) {
    const found = await lstat(path).catch(() => null);
    if (found === null || found.isDirectory()) throw error;
    throw new Error(`${shown} is ${found.isSymbolicLink() ? "a link" : "not a directory"}`);
  }
}

function below(place: FileHandle, name: string): string {
  return `/proc/self/fd/${place.fd}/${name}`;
}
