import { type Dirent, readdirSync } from "node:fs";
import { decodePath, toFilePath } from "../layers/index.ts";
import { holdsGitCredentials } from "./git-credentials.ts";

/** These are not part of the tree that is hashed and watched, and are seen inside all the same. */
export const UNHASHED_DIRECTORIES = [".git", ".drydock"];
/** Named after what they hold, and thousands of them: no pattern is meant for these. */
const SKIPPED = ".git/objects";

/**
 * Topmost paths that the matcher hides, in the directories that the tree leaves aside, and git's configuration where it
 * holds credentials. No link is followed.
 */
export function findHiddenInGit(
  workspace: string,
  hidden: (relative: string, isDirectory: boolean) => boolean,
): string[] {
  const found: string[] = [];
  const look = (path: string, entry: Dirent<Buffer>) => {
    if (hidden(path, entry.isDirectory()) || (entry.isFile() && holdsGitCredentials(workspace, path))) found.push(path);
    else if (entry.isDirectory() && path !== SKIPPED) {
      for (const below of list(workspace, path)) look(`${path}/${decodePath(below.name)}`, below);
    }
  };
  for (const entry of list(workspace, "")) {
    const name = decodePath(entry.name);
    if (UNHASHED_DIRECTORIES.includes(name)) look(name, entry);
  }
  return found;
}

function list(workspace: string, path: string): Dirent<Buffer>[] {
  try {
    return readdirSync(toFilePath(workspace, path), { withFileTypes: true, encoding: "buffer" });
  } catch {
    return []; // it went away, or may not be read: then nor can the run
  }
}
