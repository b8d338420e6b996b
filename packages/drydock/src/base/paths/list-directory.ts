import { readdirSync } from "node:fs";

/** The names in a directory; none where there is no such directory, or it can't be read. */
export function listDirectory(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
