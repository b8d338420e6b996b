import { Readable } from "node:stream";
import { decodePath, encodePath } from "../../../sandbox/index.ts";
import { type GitPlace, gitFailedError, runGit } from "./run-git.ts";

interface IgnoreOptions {
  /** Files that are tracked are not ignored, whatever the rules say, unless the index is left out of it. */
  withIndex: boolean;
  signal?: AbortSignal;
}

/** Which of the paths the repository's own rules keep out of it. */
export async function findIgnored(
  place: GitPlace,
  paths: readonly string[],
  { withIndex, signal }: IgnoreOptions,
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const args = ["check-ignore", ...(withIndex ? [] : ["--no-index"]), "-z", "--stdin"];
  const answer = await runGit(place, { args, input: listPaths(paths), signal });
  // 1: none of them is.
  if (answer.status !== 0 && answer.status !== 1) throw gitFailedError(place.workspace, "check-ignore", answer);
  const names = decodePath(answer.stdout).split("\0").filter(Boolean);
  return new Set(names.map((path) => path.slice("./".length)));
}

/** A path that begins with a colon would be more than a path. */
export function listPaths(paths: readonly string[]): Readable {
  return Readable.from(
    paths.map((path) => encodePath(`./${path}\0`)),
    { objectMode: false },
  );
}
