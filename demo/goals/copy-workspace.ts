import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LITTER = new Set(["__pycache__", ".pytest_cache", "node_modules"]);

/**
 * A copy whose owner is whoever runs the demo, and who may change it: nothing of the original's owner and permissions comes
 * along, for this tree may be somebody else's.
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
