import { constants } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST_FILE } from "../../format/file-names.ts";
import { isLeftOut, listFiles, MAX_TOTAL_BYTES } from "../../format/list-files.ts";
import type { ArchiveFile } from "../archive/archive-file.ts";
import { badArchive } from "../archive/archive-file.ts";
import { type ArchiveKind, unpackArchive } from "../archive/unpack-archive.ts";
import { refuseProblems } from "../refuse-problems.ts";
import type { RegistryOptions } from "../types.ts";
import { writeFileInto } from "../write-files.ts";
import { fetchNpm } from "./fetch-npm.ts";
import type { ExtensionSource } from "./parse-source.ts";

/** Puts the files of a source into a directory, from wherever they are. */
export async function stageSource(
  ports: Pick<RegistryOptions, "download" | "npmRegistry">,
  source: ExtensionSource,
  tree: string,
  signal?: AbortSignal,
): Promise<void> {
  switch (source.kind) {
    case "directory":
      return copyDirectory(source.path, tree, signal);
    case "archive":
      return writeArchive(await readArchive(source.path), source.format, tree);
    case "npm":
      return writeArchive(await fetchNpm(ports, source, signal), "tar.gz", tree);
    default:
      throw new Error(source satisfies never);
  }
}

async function readArchive(path: string): Promise<Uint8Array> {
  if ((await stat(path)).size > MAX_TOTAL_BYTES) throw badArchive(`${path} is larger than 64 MB`);
  return readFile(path);
}

async function writeArchive(bytes: Uint8Array, kind: ArchiveKind, tree: string): Promise<void> {
  for (const { path, executable, content } of stripFolder(await unpackArchive(bytes, kind)))
    if (!isLeftOut(path)) await writeFileInto(tree, path, content, executable);
}

/** Most archives hold one folder with everything in it; npm calls it `package`. */
function stripFolder(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  if (files.some(({ path }) => path === MANIFEST_FILE)) return files;
  const folder = files[0]?.path.split("/")[0] ?? "";
  if (!files.every(({ path }) => path.startsWith(`${folder}/`))) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(folder.length + 1) }));
}

async function copyDirectory(from: string, tree: string, signal?: AbortSignal): Promise<void> {
  const { files, problems } = await listFiles(from);
  if (problems.length > 0) throw refuseProblems(from, problems);
  for (const { path, executable } of files) {
    signal?.throwIfAborted();
    // What became a link since it was listed is not followed.
    await using file = await open(join(from, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    await writeFileInto(tree, path, await file.readFile(), executable);
  }
}
