import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";

/** What an environment is: written beside its files when it is kept, and held against them when it is used. */
export const EnvironmentLock = z.strictObject({
  version: z.literal(1),
  key: z.string(),
  requirements: z.array(z.string()),
  python: z.string(),
  platform: z.string(),
  /** The wheels it was made of. */
  packages: z.array(z.strictObject({ name: z.string(), version: z.string(), sha256: z.string() })),
  files: z.number().int(),
  bytes: z.number().int(),
  treeHash: z.string(),
  /** The run that installed it. */
  runId: z.string(),
  at: z.string(),
});
export type EnvironmentLock = z.infer<typeof EnvironmentLock>;

export const LOCK_FILE = "lock.json";
export const SITE = "site";

/** The lock of a directory; null where there is none that can be read. */
export async function readLock(directory: string): Promise<EnvironmentLock | null> {
  try {
    return EnvironmentLock.parse(JSON.parse(await readFile(join(directory, LOCK_FILE), "utf8")));
  } catch {
    return null;
  }
}

/** Whether every file is there as it was, and nothing else is. */
export async function isAsLocked(directory: string, { treeHash, files }: EnvironmentLock): Promise<boolean> {
  try {
    const tree = await hashTree(join(directory, SITE));
    return tree.treeHash === treeHash && tree.files === files;
  } catch {
    return false;
  }
}

export async function hashTree(root: string): Promise<{ treeHash: string; files: number; bytes: number }> {
  const entries: string[] = [];
  let bytes = 0;
  const walk = async (relative: string): Promise<void> => {
    const names = await readdir(join(root, relative));
    for (const name of names.sort()) {
      const path = relative === "" ? name : `${relative}/${name}`;
      const found = await lstat(join(root, path));
      if (found.isDirectory()) await walk(path);
      else if (found.isFile()) {
        bytes += found.size;
        entries.push(`${path}\0${found.mode & 0o111 ? "x" : "-"}\0${await hashFile(join(root, path))}\n`);
      } else throw new Error(`${path} is neither a file nor a directory`);
    }
  };
  await walk("");
  const hash = createHash("sha256");
  for (const entry of entries.sort()) hash.update(entry);
  return { treeHash: hash.digest("hex"), files: entries.length, bytes };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
