import { constants, lstatSync } from "node:fs";
import { chmod, cp, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import { encodePath, isOutsideTree, type TreeContents } from "../../sandbox/index.ts";

export interface DirectoryCopy {
  path: string;
  remove(): Promise<void>;
}

/** A copy of a directory in a new one of our own, with a layer put on it. */
export async function copyDirectory(
  from: string,
  temporary: string,
  changes?: { layer: Layer; contents: Pick<TreeContents, "read"> },
): Promise<DirectoryCopy> {
  const place = await mkdtemp(join(temporary, "drydock-replay-"));
  const path = join(place, "workspace");
  const remove = () => rm(place, { recursive: true, force: true });
  try {
    await cp(from, path, {
      ...{ recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE },
      filter: (source) => isCopied(source),
    });
    if (changes) await applyLayer(path, changes.layer, changes.contents);
    return { path, remove };
  } catch (error) {
    await remove();
    if (error instanceof DrydockError) throw error;
    const message = `The directory ${from} can't be copied for the replay: ${(error as Error).message}`;
    throw new DrydockError("input.invalid", message, "Give a copy in the state before the run: --workspace DIR.");
  }
}

/** Sockets and pipes are no part of a tree. */
function isCopied(source: string): boolean {
  const found = lstatSync(source);
  return found.isFile() || found.isDirectory() || found.isSymbolicLink();
}

/** Deletions first, the deepest first; then directories before what lies in them. */
async function applyLayer(root: string, { entries }: Layer, contents: Pick<TreeContents, "read">): Promise<void> {
  const pathOf = (path: string) => Buffer.concat([Buffer.from(`${root}/`), encodePath(path)]);
  for (const { path } of entries) await requireInside(path, pathOf);
  for (const { path } of [...entries].reverse().filter(isGone)) {
    await rm(pathOf(path), { recursive: true, force: true });
  }
  for (const entry of entries.filter(({ kind }) => kind !== "deleted")) {
    const { path, type, mode, sha256 = "", target = "" } = entry;
    await requireInside(path, pathOf);
    const to = pathOf(path);
    if (type === "directory") await mkdir(to, { recursive: true });
    else if (type === "symlink") await symlink(encodePath(target), to);
    else await writeFile(to, await contents.read(sha256));
    if (type !== "symlink") await chmod(to, mode);
  }
}

/** What is deleted, or is replaced by something that can't be written over it. */
function isGone({ kind, type, wasType }: LayerEntry): boolean {
  return kind === "deleted" || (kind === "changed" && (type !== wasType || type === "symlink"));
}

/** No path may lead out of the copy: not by its names, and not through a link. */
async function requireInside(path: string, pathOf: (path: string) => Buffer): Promise<void> {
  const names = path.split("/");
  let isInside = !isOutsideTree(path) && names.every((name) => name !== "" && name !== "." && name !== "..");
  for (let length = 1; length < names.length && isInside; length++) {
    const parent = await lstat(pathOf(names.slice(0, length).join("/"))).catch(() => null);
    isInside = !parent?.isSymbolicLink();
  }
  if (isInside) return;
  throw new DrydockError(
    "input.invalid",
    `The record names a path that is not valid in a workspace: ${JSON.stringify(path)}.`,
    "The record was altered: `drydock audit verify` shows where.",
  );
}
