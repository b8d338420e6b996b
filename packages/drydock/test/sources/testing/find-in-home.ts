import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Files of a home in which this text stands, without the owner's store of secrets. */
export async function findInHome(home: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith("secrets")) continue;
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}
