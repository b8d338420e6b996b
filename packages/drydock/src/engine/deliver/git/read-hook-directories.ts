import { relative, resolve } from "node:path";
import { decodePath } from "../../../sandbox/index.ts";
import { type GitAnswer, type GitPlace, runGit } from "./run-git.ts";

/**
 * Directories of the workspace that the repository's own configuration names as `core.hooksPath`. Empty without a
 * repository or without git: then no hooks run.
 */
export async function readHookDirectories(place: GitPlace): Promise<string[]> {
  const top = await ask(place, ["rev-parse", "--show-toplevel"]);
  if (top === null) return [];
  // The last value is the one that switches hooks off for us.
  const values = (await ask(place, ["config", "--null", "--get-all", "core.hooksPath"])) ?? "";
  const root = top.replace(/\n$/, "");
  return values
    .split("\0")
    .filter((value) => value !== "" && value !== "/dev/null")
    .map((value) => relative(place.workspace, resolve(root, value)))
    .filter((path) => path !== "" && path !== ".." && !path.startsWith("../"));
}

async function ask(place: GitPlace, args: string[]): Promise<string | null> {
  const answer: GitAnswer | null = await runGit(place, { args }).catch(() => null);
  return answer?.status === 0 ? decodePath(answer.stdout) : null;
}
