import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HashedFile } from "../format/hash-files.ts";
import { type RegistryContent, type RegistryEntry, type RegistryFile, syncDirectory } from "./registry-file.ts";
import { removeUnnamed } from "./staging.ts";

export interface RegistryChange {
  root: string;
  file: RegistryFile;
  content: RegistryContent;
  onStep?: (step: string) => void;
}

/** Moves staged files to their place and makes them the extension. The caller holds the registry's lock. */
export async function commitInstall(
  { root, file, content, onStep }: RegistryChange,
  tree: string,
  files: readonly HashedFile[],
  entry: Omit<RegistryEntry, "directory">,
): Promise<RegistryEntry> {
  const { id, version } = entry.manifest;
  const directory = findFreeName(root, content, `installed/${id}/${version}-${entry.hash.slice(0, 12)}`);
  const place = join(root, directory);
  const placed: RegistryEntry = { ...entry, directory };
  const others = content.extensions.filter(({ manifest }) => manifest.id !== id);
  const next = { ...content, extensions: [...others, placed] };
  try {
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    onStep?.("write the list of files");
    await writeListing(`${place}.files.json`, files);
    onStep?.("move the files");
    await rename(tree, place);
    for (const folder of [dirname(place), join(root, "installed")]) await syncDirectory(folder);
    onStep?.("replace the registry");
    await file.write(next);
  } catch (error) {
    // The registry has not named it.
    await rm(place, { recursive: true, force: true });
    await rm(`${place}.files.json`, { force: true });
    throw error;
  }
  onStep?.("remove what was there before");
  await removeUnnamed(root, next);
  return placed;
}

export async function commitRemoval({ root, file, content, onStep }: RegistryChange, id: string): Promise<void> {
  const next = { ...content, extensions: content.extensions.filter(({ manifest }) => manifest.id !== id) };
  onStep?.("replace the registry");
  await file.write(next);
  onStep?.("remove its files");
  await removeUnnamed(root, next);
  onStep?.("remove its work");
  await rm(join(root, "work", id), { recursive: true, force: true });
}

/** Avoids directories that a crash left, and the registered one: it stays until the registry names the new one. */
function findFreeName(root: string, { extensions }: RegistryContent, wanted: string): string {
  const named = new Set(extensions.map(({ directory }) => directory));
  let name = wanted;
  for (let count = 2; named.has(name) || existsSync(join(root, name)); count++) name = `${wanted}-${count}`;
  return name;
}

async function writeListing(path: string, files: readonly HashedFile[]): Promise<void> {
  await rm(path, { force: true });
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(JSON.stringify(files));
  await file.sync();
}
