import { DrydockError } from "@drydock/protocol";
import { listCheckedOut, readBranch } from "./read-head.ts";
import { askGit, type GitPlace } from "./run-git.ts";

/** Takes away a branch that a delivery made, if it still is what it was made as. False: it is gone already. */
export async function removeBranch(place: GitPlace, branch: string, commit: string): Promise<boolean> {
  const now = await readBranch(place, branch);
  if (now === null) return false;
  const refuse = (why: string) =>
    new DrydockError(
      "delivery.conflict",
      `The branch ${branch} ${why}.`,
      `Undo it with git: \`git revert ${commit}\`.`,
      { branch, files: [{ path: branch, reason: why }] },
    );
  if (now !== commit) throw refuse("has moved on since it was made");
  if ((await listCheckedOut(place)).includes(branch)) throw refuse("is checked out");
  await askGit(place, "update-ref", "-d", `refs/heads/${branch}`, commit);
  return true;
}
