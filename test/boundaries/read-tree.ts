import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { SourceFile } from "./find-violations.ts";

/** The TypeScript of every package. The kernel's own scripts run inside the sandbox and are no part of the host's graph. */
export function readTree(root: string): SourceFile[] {
  return readdirSync(join(root, "packages"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => /^packages\/[^/]+\/src\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
