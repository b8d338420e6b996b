/** A directory that git takes for a repository, and whose configuration starts a program on `git status`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Picture } from "./trees.ts";

/** The program creates `marker`, so that a test can see whether it ran. */
export function plantRepository(directory: string, marker: string): Picture {
  const config = `[core]
	repositoryformatversion = 0
	bare = false
	worktree = .
	fsmonitor = "touch '${marker}'; false"
`;
  return {
    [`${directory}/HEAD`]: "ref: refs/heads/main\n",
    [`${directory}/config`]: config,
    [`${directory}/objects/info/keep`]: "",
    [`${directory}/refs/heads/keep`]: "",
  };
}

/** Whether `git status` in the directory runs what was planted. */
export function runsPlanted(workspace: string, directory: string, marker: string): boolean {
  if (!existsSync(join(workspace, directory))) return false;
  const env = { PATH: process.env.PATH ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", HOME: "/" };
  spawnSync("git", ["-C", directory, "status"], { cwd: workspace, env });
  spawnSync("git", ["status"], { cwd: join(workspace, directory), env });
  return existsSync(marker);
}
