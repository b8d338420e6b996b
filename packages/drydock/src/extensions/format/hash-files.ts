import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ExtensionFile } from "./list-files.ts";

export interface HashedFile {
  path: string;
  executable: boolean;
  sha256: string;
}

/** The content of each file, in the same order. */
export async function hashFiles(directory: string, files: readonly ExtensionFile[]): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  for (const { path, executable } of files) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(directory, path)), hash);
    hashed.push({ path, executable, sha256: hash.digest("hex") });
  }
  return hashed;
}

/** One hash for all of them: names, contents and which ones are programs. */
export function hashTree(files: readonly HashedFile[]): string {
  const hash = createHash("sha256");
  for (const { path, executable, sha256 } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(JSON.stringify([path, executable, sha256]));
  return hash.digest("hex");
}
