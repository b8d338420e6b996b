import { join } from "node:path";

/** `~/` at the beginning of a path is the user's own directory. */
export function expandHome(path: string, userHome: string): string {
  return path.startsWith("~/") ? join(userHome, path.slice(2)) : path;
}
