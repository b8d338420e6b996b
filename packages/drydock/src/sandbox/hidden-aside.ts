import { readdirSync } from "node:fs";
import { decodePath, encodePath } from "./layers/index.ts";

/** These are not part of the tree that is hashed and watched, and are seen inside all the same. */
export const ASIDE_DIRECTORIES = [".git", ".drydock"];
/** Named after what they hold, thousands of them: no pattern is meant for these. */
const NOT_LOOKED_AT = ".git/objects";

/** Topmost paths that the matcher hides, in the directories that the tree leaves aside. */
export function findHiddenAside(workspace: string, hidden: (relative: string) => boolean): string[] {
  const found: string[] = [];
  const look = (path: string) => {
    if (hidden(path)) found.push(path);
    else if (path !== NOT_LOOKED_AT) for (const name of list(workspace, path)) look(`${path}/${name}`);
  };
  for (const name of ASIDE_DIRECTORIES) if (list(workspace, name).length > 0) look(name);
  return found;
}

/** Names in a directory; none where there is no directory, or only a link to one. */
function list(workspace: string, path: string): string[] {
  try {
    const place = encodePath(`${workspace}/${path}`);
    return readdirSync(place, { encoding: "buffer" }).map(decodePath);
  } catch {
    return [];
  }
}
