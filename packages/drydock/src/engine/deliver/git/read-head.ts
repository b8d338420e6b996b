import { createHash } from "node:crypto";
import { DrydockError, type LayerEntry } from "@drydock/protocol";
import { decodePath, encodePath } from "../../../sandbox/index.ts";
import { askGit, type GitPlace, gitFailedError, runGit } from "./run-git.ts";

export interface HeadEntry {
  mode: string;
  oid: string;
}

/** The commit that is checked out, and what it holds. */
export interface GitHead {
  commit: string;
  /** The workspace within the repository: empty, or ending in a slash. */
  prefix: string;
  entries: ReadonlyMap<string, HeadEntry>;
}

export async function readHead(place: GitPlace): Promise<GitHead> {
  const { workspace } = place;
  const found = await runGit(place, { args: ["rev-parse", "--show-prefix", "--show-toplevel"] });
  if (found.status !== 0) throw unusable(workspace, `it is not a git working tree (${found.stderr.slice(0, 300)})`);
  const [prefix = "", top = ""] = found.stdout.toString().split("\n");
  if (`${top}/${prefix}`.replace(/\/$/, "") !== workspace) throw unusable(workspace, "its git working tree is another");
  const head = await runGit(place, { args: ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"] });
  if (head.status !== 0) throw unusable(workspace, "its repository has no commit yet");
  const commit = head.stdout.toString().trim();
  return { commit, prefix, entries: await listEntries(place, commit) };
}

/** What a commit holds, by path from the top of the repository. */
export async function listEntries(place: GitPlace, commit: string): Promise<Map<string, HeadEntry>> {
  const listed = await runGit(place, { args: ["ls-tree", "-r", "-z", "--full-tree", commit] });
  if (listed.status !== 0) throw gitFailedError(place.workspace, "ls-tree", listed);
  const entries = new Map<string, HeadEntry>();
  for (let at = 0; at < listed.stdout.length; ) {
    const end = listed.stdout.indexOf(0, at);
    const line = decodePath(listed.stdout.subarray(at, end));
    const [meta = "", path = ""] = [line.slice(0, line.indexOf("\t")), line.slice(line.indexOf("\t") + 1)];
    const [mode = "", , oid = ""] = meta.split(" ");
    entries.set(path, { mode, oid });
    at = end + 1;
  }
  return entries;
}

/** Whether the commit holds exactly what the run found there. */
export async function isAsInHead(place: GitPlace, entry: LayerEntry, committed: HeadEntry): Promise<boolean> {
  const { wasType, wasMode = 0, wasTarget = "", wasSha256 } = entry;
  if (committed.mode !== gitMode(wasType, wasMode)) return false;
  const wanted = wasType === "symlink" ? createHash("sha256").update(encodePath(wasTarget)).digest("hex") : wasSha256;
  const digest = createHash("sha256");
  const args = ["cat-file", "blob", committed.oid];
  const { status } = await runGit(place, { args, onOutput: (bytes) => digest.update(bytes) });
  return status === 0 && digest.digest("hex") === wanted;
}

export function gitMode(type: LayerEntry["type"] | undefined, mode: number): string {
  if (type === "symlink") return "120000";
  return mode & 0o100 ? "100755" : "100644";
}

export async function readBranch(place: GitPlace, branch: string): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`];
  const { status, stdout } = await runGit(place, { args });
  return status === 0 ? stdout.toString().trim() : null;
}

export async function checkBranchName(place: GitPlace, branch: string): Promise<void> {
  const { status } = await runGit(place, { args: ["check-ref-format", `refs/heads/${branch}`] });
  if (status === 0 && !branch.startsWith("-") && branch !== "HEAD") return;
  throw new DrydockError(
    "input.invalid",
    `${JSON.stringify(branch)} can't be the name of a branch.`,
    "Give one such as drydock/fix-add.",
    { branch },
  );
}

/** Names of branches that some working tree has checked out. */
export async function listCheckedOut(place: GitPlace): Promise<string[]> {
  const lines = (await askGit(place, "worktree", "list", "--porcelain")).split("\n");
  const start = "branch refs/heads/";
  return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
}

function unusable(workspace: string, why: string): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    `No branch can be made in ${workspace}: ${why}.`,
    "Deliver to the directory itself: leave out --branch. Nothing was changed.",
    { workspace },
  );
}
