import { realpathSync } from "node:fs";

/** Where a path really leads; the path itself where there is nothing yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a path is the directory or lies below it, as both are written. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}
