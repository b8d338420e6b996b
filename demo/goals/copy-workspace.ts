import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LITTER = new Set(["__pycache__", ".pytest_cache", "node_modules"]);

/**
 * A copy that belongs to the user who runs the demo, and is writable: owner and permissions of the original are not
 * copied, since it may belong to another user.
 */
export function copyWorkspace(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (LITTER.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyWorkspace(source, target);
    else writeFileSync(target, readFileSync(source));
  }
}
