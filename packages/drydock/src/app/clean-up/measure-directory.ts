import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all files below a path, links not followed. What vanishes meanwhile counts as nothing: others are at work. */
export async function measureDirectory(path: string): Promise<number> {
  const found = await lstat(path).catch(ignoreMissing);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const name of (await readdir(path).catch(ignoreMissing)) ?? [])
    bytes += await measureDirectory(join(path, name));
  return bytes;
}

export function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
