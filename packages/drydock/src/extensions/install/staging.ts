import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tryFileLock } from "../../base/locks/index.ts";
import type { RegistryContent } from "./registry-file.ts";

/*
 * How a change of the installed extensions survives being ended at any moment:
 *
 *   1. a folder staging/<name> is made, locked by this process: as long as it is there, a change is under way or was cut off
 *   2. the new files are put together in it, unseen
 *   3. they are moved to installed/<id>/<version>-<hash>, which nothing refers to yet
 *   4. registry.json is replaced: from here on, and not before, the new state holds
 *   5. what the registry names no more is removed, then the staging folder
 *
 * A later process that finds a staging folder without an owner removes it, and everything that the registry does not name.
 * So the registry alone says what is installed, and it is replaced in one step.
 */

export interface Staging extends AsyncDisposable {
  /** Where the extension's files are put together. */
  tree: string;
}

/** The caller holds the registry's lock, so the directory can't be collected before it is locked. */
export async function openStaging(root: string, { removes }: { removes?: string } = {}): Promise<Staging> {
  const name = randomUUID();
  const directory = join(root, "staging", name);
  const lock = tryFileLock(`${directory}.lock`);
  if (!lock) throw new Error("A new name is taken already.");
  await mkdir(join(directory, "tree"), { recursive: true, mode: 0o700 });
  if (removes !== undefined) await writeFile(join(directory, "removes"), removes);
  return {
    tree: join(directory, "tree"),
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true });
      await rm(`${directory}.lock`, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

/** Whether there is anything that was cut off, or is under way. */
export function hasStaging(root: string): boolean {
  try {
    return readdirSync(join(root, "staging")).length > 0;
  } catch {
    return false;
  }
}

/** The caller holds the registry's lock. */
export async function collectLeftovers(root: string, content: RegistryContent): Promise<void> {
  const staging = join(root, "staging");
  const names = new Set((await listNames(staging)).map((name) => name.replace(/\.lock$/, "")));
  for (const name of names) {
    const lock = tryFileLock(join(staging, `${name}.lock`));
    if (!lock) continue;
    const removes = await readFile(join(staging, name, "removes"), "utf8").catch(() => null);
    if (removes !== null && !content.extensions.some(({ manifest }) => manifest.id === removes))
      await rm(join(root, "work", removes), { recursive: true, force: true });
    await rm(join(staging, name), { recursive: true, force: true });
    await rm(join(staging, `${name}.lock`), { force: true });
    lock[Symbol.dispose]();
  }
  await removeUnnamed(root, content);
}

/** What lies among the installed ones and is in no registry. */
export async function removeUnnamed(root: string, content: RegistryContent): Promise<void> {
  const named = new Set(content.extensions.flatMap(({ directory }) => [directory, `${directory}.files.json`]));
  for (const id of await listNames(join(root, "installed"))) {
    for (const name of await listNames(join(root, "installed", id))) {
      const path = `installed/${id}/${name}`;
      if (!named.has(path)) await rm(join(root, path), { recursive: true, force: true });
    }
    await rmdir(join(root, "installed", id)).catch(() => {});
  }
}

async function listNames(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
