import { createPathRules } from "../../../policy/index.ts";
import { listChangedPaths } from "../changed-paths.ts";
import { type CheckFinding, failed, passed, refused } from "../check-finding.ts";
import { diffFile } from "../file-diff.ts";
import type { JudgeContext } from "../judge-context.ts";
import type { CheckOf, DescriptorOf } from "./check-descriptor.ts";
import { findGlobProblem } from "./check-problems.ts";

const MAX_LISTED = 50;
const MAX_DIFFS = 3;

export const unchangedCheck: DescriptorOf<"unchanged"> = {
  judge: judgeUnchanged,
  refuse: ({ paths }) => paths.map(findGlobProblem).find((problem) => problem !== null) ?? null,
  runs: false,
  isJudgedByStatus: false,
  comparesTrees: true,
  prompt: '{"type":"unchanged","paths":[globs]}',
  rule: "Files have to stay as they were.",
  isAboutPath: false,
};

/** A glob names what it matches and everything below that. */
export function matchPaths(globs: readonly string[]): (path: string) => boolean {
  return createPathRules({ files: { access: true, write: [], protect: [...globs], hide: [] } }).protectedPath;
}

async function judgeUnchanged({ paths }: CheckOf<"unchanged">, { tree, before }: JudgeContext): Promise<CheckFinding> {
  if (!before) {
    return refused("nothing_to_compare", "There is no earlier tree to compare with: this one is judged as it stands.");
  }
  const matches = matchPaths(paths);
  const changed = listChangedPaths(before, tree).filter(({ path }) => matches(path));
  const [first] = changed;
  if (!first) return passed(`Nothing that matches ${paths.join(", ")} has changed.`);
  const diffs: string[] = [];
  for (const each of changed.slice(0, MAX_DIFFS)) diffs.push(await diffFile(before, tree, each.path));
  const more = changed.length > 1 ? ` and ${changed.length - 1} more` : "";
  return failed("changed", `${first.path} was ${first.kind}${more}, and had to stay as it was.`, {
    changed: changed.slice(0, MAX_LISTED),
    diff: diffs.filter((diff) => diff !== "").join("\n"),
  });
}
