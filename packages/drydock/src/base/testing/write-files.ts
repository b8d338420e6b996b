import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files by their paths. */
export type Files = Record<string, string | Uint8Array>;

/** Writes files below a directory, whatever the umask is; `mode` says which of them can be executed, say. */
export function writeFiles(directory: string, files: Files, mode: (path: string) => number = () => 0o644): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(directory, path);
    mkdirSync(dirname(full), { recursive: true, mode: 0o755 });
    writeFileSync(full, content);
    chmodSync(full, mode(path));
  }
}
