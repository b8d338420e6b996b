import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInside } from "../../base/paths/index.ts";
import { readSmallFile } from "./read-small-file.ts";

const MAX_FILES = 200;
const MAX_BYTES = 64 * 1024;
const MAX_DIRECTORIES = 50;
/** Maximum number of lines in all files together: untrusted files may have millions. */
const MAX_LINES = 1000;
/** How setuptools writes down where the packages of an editable installation lie. */
const MAPPING = /^MAPPING\b[^=\n]*=\s*(\{[^\n]*\})/m;
const PACKAGE = /['"](\w+)['"]\s*:\s*['"]([^'"\n]+)['"]/g;

export interface PathEntries {
  /** Directories by the paths of this machine: an interpreter inside can't find them by itself. */
  absolute: string[];
  /** Directories that are named relative to the packages. */
  relative: string[];
  /** Paths outside of the workspace: nothing is there inside. */
  outside: string[];
}

/**
 * The directories that the `.pth` files of a virtual environment add to Python's search path: how editable installations
 * work. Lines of code in them are not run here; Python runs them itself, inside, where a command starts it.
 *
 * @param workspace Its real path.
 * @param site The directory of the packages.
 */
export function readPathFiles(workspace: string, site: string, names: readonly string[]): PathEntries {
  const entries: PathEntries = { absolute: [], relative: [], outside: [] };
  const add = (path: string, list: string[]) => {
    const isOwn = isInside(path, workspace);
    const into = isOwn ? list : entries.outside;
    if (into.includes(path) || into.length >= MAX_DIRECTORIES) return;
    if (!isOwn || isDirectory(path, workspace)) into.push(path);
  };
  let left = MAX_LINES;
  for (const name of names.filter((each) => each.endsWith(".pth")).slice(0, MAX_FILES)) {
    for (const line of (readSmallFile(join(site, name), MAX_BYTES) ?? "").split(/\r?\n/)) {
      const path = line.trimEnd();
      if (path === "" || path.startsWith("#") || /^import[ \t]/.test(path) || /\p{Cc}/u.test(path)) continue;
      if (left-- <= 0) return entries;
      add(resolve(site, path), path.startsWith("/") ? entries.absolute : entries.relative);
    }
  }
  for (const name of names.filter((each) => /^__editable___.*_finder\.py$/.test(each)).slice(0, MAX_FILES)) {
    const mapping = MAPPING.exec(readSmallFile(join(site, name), MAX_BYTES) ?? "")?.[1] ?? "";
    for (const [, key = "", path = ""] of mapping.matchAll(PACKAGE)) {
      if (left-- <= 0) return entries;
      // A package under another name than its directory's can't be found by a search path.
      if (path.startsWith("/") && path.endsWith(`/${key}`)) add(resolve(path, ".."), entries.absolute);
    }
  }
  return entries;
}

/** Of the workspace itself. What a link leads to outside of it is not looked at: whether it is there is not for runs to know. */
function isDirectory(path: string, workspace: string): boolean {
  try {
    return isInside(realpathSync(path), workspace) && statSync(path).isDirectory();
  } catch {
    return false;
  }
}
