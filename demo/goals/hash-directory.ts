import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A hash of everything in a directory: names, permissions, times and contents. It is the demo's own, and not the engine's. */
export function hashDirectory(directory: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()) {
    const stats = lstatSync(join(directory, name));
    hash.update(`${name}\0${stats.mode}\0${stats.mtimeMs}\0${stats.size}\0`);
    if (stats.isFile()) hash.update(readFileSync(join(directory, name)));
  }
  return hash.digest("hex");
}
