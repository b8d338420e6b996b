import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { PluginManifest } from "@drydock/protocol/runner";
import { unpackArchive } from "../../../extensions/index.ts";
import { placeRunnerSdk } from "../runner-sdk.ts";
import type { PluginSource } from "./find-source.ts";
import { isLeftOut, listPluginFiles, PLUGIN_FILE, readPluginManifest } from "./read-plugin.ts";

const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

export interface StagedPlugin {
  manifest: PluginManifest;
  /** Of the archive, where it is one; of all paths and contents otherwise. */
  sha256: string;
}

export interface PluginFile {
  path: string;
  content: Buffer;
}

/** Puts the files of a plugin into an empty directory, with the SDK beside them. What lies there then is what is used. */
export async function stagePlugin(source: PluginSource, tree: string): Promise<StagedPlugin> {
  const { files, sha256 } = source.kind === "archive" ? await readArchive(source) : await readDirectory(source.path);
  for (const { path, content } of files) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await using file = await open(join(tree, path), "wx", 0o644);
    await file.writeFile(content);
  }
  await mkdir(tree, { recursive: true });
  const manifest = await readPluginManifest(tree, source.path);
  await placeRunnerSdk(tree, manifest.runtime);
  return { manifest, sha256 };
}

async function readDirectory(directory: string): Promise<{ files: PluginFile[]; sha256: string }> {
  const files = await readPluginFiles(directory);
  const hash = createHash("sha256");
  for (const { path, content } of files)
    hash.update(`${Buffer.byteLength(path)} ${path} ${content.length} `).update(content);
  return { files, sha256: hash.digest("hex") };
}

export async function readPluginFiles(directory: string): Promise<PluginFile[]> {
  const files: PluginFile[] = [];
  for (const path of await listPluginFiles(directory)) {
    // What became a link since it was listed is not followed.
    await using file = await open(join(directory, path), constants.O_RDONLY | constants.O_NOFOLLOW);
    files.push({ path, content: await file.readFile() });
  }
  return files;
}

async function readArchive({
  path,
  format,
}: Extract<PluginSource, { kind: "archive" }>): Promise<{ files: PluginFile[]; sha256: string }> {
  if ((await stat(path)).size > MAX_ARCHIVE_BYTES) throw badArchive(path, "it is larger than 64 MB");
  const bytes = await readFile(path);
  const unpacked = await unpackArchive(bytes, format).catch((error: Error) => {
    throw badArchive(path, error.message, error);
  });
  const files = stripFolder(unpacked).filter((file) => !isLeftOut(file.path));
  return { files, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Most archives hold one folder with everything in it; npm calls it `package`. */
function stripFolder(files: readonly PluginFile[]): PluginFile[] {
  if (files.some(({ path }) => path === PLUGIN_FILE)) return [...files];
  const folder = files[0]?.path.split("/")[0] ?? "";
  if (!files.every(({ path }) => path.startsWith(`${folder}/`))) return [...files];
  return files.map((file) => ({ ...file, path: file.path.slice(folder.length + 1) }));
}

function badArchive(path: string, reason: string, cause?: Error): DrydockError {
  const hint = "Make the archive again with `drydock plugin pack DIRECTORY`, or get it anew.";
  return new DrydockError("input.invalid", `${path} can't be installed: ${reason}`, hint, { path }, cause);
}
