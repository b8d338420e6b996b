import { lstatSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type HashedFile, hashFiles, hashTree } from "../format/hash-files.ts";
import { listFiles } from "../format/list-files.ts";

/** Names, sizes, times and inodes of every file below a directory: as long as it is the same, so are the contents. */
export function readSignature(directory: string): string {
  const parts: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const { ino, size, mtimeNs, ctimeNs, mode } = lstatSync(path, { bigint: true });
      parts.push(`${path}:${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`);
      if (entry.isDirectory()) walk(path);
    }
  };
  walk(directory);
  return parts.join("\n");
}

/** What is different from what was agreed to, in words; null where nothing is. */
export async function describeChange(directory: string, hash: string, listing: string): Promise<string | null> {
  const { files, problems } = await listFiles(directory, { all: true });
  const [strange] = problems;
  if (strange) return `${strange.file} ${strange.message}`;
  const now = await hashFiles(directory, files);
  if (hashTree(now) === hash) return null;
  const before = await readListing(listing);
  // A list that does not add up to the hash was changed as well, and says nothing.
  if (before === null || hashTree(before) !== hash) return "its files are not those that were installed";
  return describeDifference(before, now);
}

async function readListing(path: string): Promise<HashedFile[] | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as HashedFile[];
  } catch {
    return null;
  }
}

function describeDifference(before: readonly HashedFile[], now: readonly HashedFile[]): string {
  const known = new Map(before.map((file) => [file.path, file]));
  const there = new Set(now.map(({ path }) => path));
  const added = now.filter(({ path }) => !known.has(path)).map(({ path }) => path);
  const removed = before.filter(({ path }) => !there.has(path)).map(({ path }) => path);
  const changed = now
    .filter(({ path, sha256, executable }) => {
      const was = known.get(path);
      return was && (was.sha256 !== sha256 || was.executable !== executable);
    })
    .map(({ path }) => path);
  const parts = [
    ["changed", changed],
    ["added", added],
    ["removed", removed],
  ] as const;
  const changes = parts.filter(([, paths]) => paths.length > 0).map(([what, paths]) => `${nameSome(paths)} ${what}`);
  return `${changes.join(", ")} since it was installed`;
}

function nameSome(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(", ");
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
