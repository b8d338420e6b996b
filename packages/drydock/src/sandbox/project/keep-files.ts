import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A directory with these executable files, by their relative paths. It is named after what is in it: it is written once,
 * all at once, and of several who write the same the first wins.
 */
export function keepFiles(root: string, files: Readonly<Record<string, string>>): string {
  const key = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 32);
  const directory = join(root, key);
  if (existsSync(directory)) return directory;
  const staging = `${directory}.${process.pid}-${randomBytes(5).toString("hex")}`;
  for (const [path, text] of Object.entries(files)) {
    const place = join(staging, path);
    mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
    writeFileSync(place, text, { flag: "wx", mode: 0o755 });
  }
  try {
    renameSync(staging, directory);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
  return directory;
}
