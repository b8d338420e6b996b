import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory and those above it, closed to others. One level at a time: Node's own recursive way never returns where a
 * directory exists and can't hold another, as in /proc.
 */
export function makeDirectories(directory: string): void {
  const missing: string[] = [];
  for (let path = directory; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path);
  for (const path of missing) makeOne(path);
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
