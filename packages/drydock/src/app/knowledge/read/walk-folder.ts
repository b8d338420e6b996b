import { type Dirent, lstatSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../../base/paths/index.ts";
import { findFormat } from "./find-format.ts";

export interface WalkOptions {
  /** Whether the owner's policy hides this path, relative to the folder. */
  isHidden(path: string): boolean;
  /** Directories of Drydock, which hold what runs did. */
  own: readonly string[];
}

export type WalkedFile =
  | { kind: "document"; path: string }
  | { kind: "skipped" }
  | { kind: "unreadable"; path: string };

const NEVER = new Set(["node_modules", "__pycache__"]);
const MAX_DEPTH = 64;

/** The documents of a folder, in order. Links are never followed; names that begin with a dot are left out. */
export async function* walkFolder(
  folder: string,
  options: WalkOptions,
  below = "",
  depth = 0,
): AsyncGenerator<WalkedFile> {
  const entries: Dirent[] = [];
  try {
    // One directory at a time is in memory.
    for await (const entry of await opendir(join(folder, below))) entries.push(entry);
  } catch {
    yield { kind: "unreadable", path: below };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    const isLeftOut = entry.name.startsWith(".") || NEVER.has(entry.name) || options.isHidden(path);
    if (entry.isDirectory() && !isLeftOut && depth < MAX_DEPTH) {
      if (!options.own.some((own) => isInside(join(folder, path), own)))
        yield* walkFolder(folder, options, path, depth + 1);
    } else if (entry.isFile() && !isLeftOut && findFormat(path)) yield { kind: "document", path };
    else yield { kind: "skipped" };
  }
}

export function isFolder(path: string): boolean {
  return lstatSync(path).isDirectory();
}
