import { DrydockError } from "@drydock/protocol";
import { checkBranchName, readBranch, readHead } from "./read-head.ts";
import type { GitPlace } from "./run-git.ts";

/** Rejects where a new branch of this name could not be made: better known before the work than after it. */
export async function checkBranch(place: GitPlace, branch: string): Promise<void> {
  await checkBranchName(place, branch);
  await readHead(place);
  const commit = await readBranch(place, branch);
  if (commit === null) return;
  const hint = "Give another name, or delete the branch.";
  throw new DrydockError("delivery.conflict", `There is a branch ${branch} already.`, hint, { branch, commit });
}
