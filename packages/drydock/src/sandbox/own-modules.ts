import { readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Layer } from "@drydock/protocol";
import { isInside } from "../base/paths/index.ts";

/**
 * Names that a Python program may import from beside it, and that may be those of modules which an interpreter has imported
 * already: files of the directory where it looks first, and what a run adds to that before it begins.
 */
export function listOwnModules(
  workspace: string | null,
  filename: string | undefined,
  base: Layer | undefined,
): string[] {
  const directory = dirname(filename ?? "program");
  const added = (base?.entries ?? []).map(({ path }) => relative(directory, path));
  return [...new Set([...list(workspace, directory), ...added].map((name) => /^[^./]*/.exec(name)?.[0] ?? ""))];
}

/** Nothing where the name of the program leads out of the workspace: what lies there is not the run's to know. */
function list(workspace: string | null, directory: string): string[] {
  if (workspace === null) return [];
  try {
    const place = realpathSync(join(workspace, directory));
    return isInside(place, workspace) ? readdirSync(place) : [];
  } catch {
    return []; // the workspace has no such directory
  }
}
