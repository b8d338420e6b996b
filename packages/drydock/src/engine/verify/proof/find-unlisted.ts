import type { Observed } from "../../../sandbox/index.ts";
import type { ChangedPath } from "../changed-paths.ts";
import type { CommandRun } from "../check-finding.ts";
import type { JudgedTree, TreeEdit } from "../judged-tree.ts";
import type { TestComparison } from "./compare-tests.ts";
import type { ChangeOptions } from "./judge-change.ts";
import type { CheckRecord } from "./records/base-record.ts";

/**
 * A file that a glob of the check found, and that the change deleted or renamed out of its reach: the check passes because it
 * no longer looks at it. Null: none, or the check passes with it as well.
 */
export async function findUnlisted(
  ran: CommandRun | undefined,
  { check, context, baseline, mayChange, judge }: ChangeOptions,
  records: readonly CheckRecord[],
  compared: TestComparison | null,
): Promise<string | null> {
  // Test runners say themselves which tests they found.
  if (compared !== null || !context.tree.edit) return null;
  const deleted = baseline.changed.filter(({ path, kind }) => kind === "deleted" && !mayChange(path, true));
  const unseen = deleted.filter(({ path }) => records.some(({ observed }) => observed && isListed(observed, path)));
  const added = baseline.changed.filter(
    ({ path, kind }) => kind === "added" && ran?.observed && isListed(ran.observed, path),
  );
  // What was renamed within the glob's reach is looked at as before.
  const gone = unseen.length === 0 ? [] : await listGone(unseen, added, baseline.before, context.tree);
  if (gone.length === 0) return null;
  const edits: TreeEdit[] = [];
  for (const { path } of gone) {
    const content = await baseline.before.read(path);
    if (content) edits.push({ path, content });
  }
  const { verdict } = await judge(check, { ...context, tree: await context.tree.edit(edits) });
  if (verdict === "passed") return null;
  const [{ path } = { path: "" }] = gone;
  return `${path} was deleted, and the check looked at it before: with it, the check fails. If it may go, say so: drydock run --may-change '${path.replaceAll("'", "'\\''")}'.`;
}

/** How many files are read to find what was renamed. */
const MOST_COMPARED = 20;
/** How much of a file that was mended as well is still there. */
const KEPT = 0.5;

/** Deleted files whose content is in no added one. Each added file stands for one of them. */
async function listGone(
  deleted: readonly ChangedPath[],
  added: readonly ChangedPath[],
  before: JudgedTree,
  after: JudgedTree,
): Promise<ChangedPath[]> {
  const texts = new Map<string, string>();
  for (const { path } of added.slice(0, MOST_COMPARED)) texts.set(path, (await after.read(path))?.toString() ?? "");
  const gone: ChangedPath[] = [];
  for (const [index, each] of deleted.entries()) {
    const was = index < MOST_COMPARED ? (await before.read(each.path))?.toString() : undefined;
    const [best] = [...texts]
      .map(([path, text]) => ({ path, share: was === undefined ? 0 : keptShare(was, text) }))
      .toSorted((a, b) => b.share - a.share);
    if (best && best.share >= KEPT) texts.delete(best.path);
    else gone.push(each);
  }
  return gone;
}

/** How much of a text another one still has: whole lines, or what it begins and ends with. */
function keptShare(was: string, is: string): number {
  if (was.trim() === "") return is.trim() === "" ? 1 : 0;
  const left = new Map<string, number>();
  for (const line of is.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
  let kept = 0;
  for (const line of was.split("\n")) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    kept += line.length + 1;
  }
  const most = Math.min(was.length, is.length);
  let start = 0;
  while (start < most && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < most - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  return Math.max(kept, start + end) / was.length;
}

/** Whether a program got the path as an argument. */
function isListed({ programs }: Observed, path: string): boolean {
  return programs.some(({ arguments: words, directory }) =>
    words.some((word) => {
      const plain = word.replace(/^(?:\.\/)+/, "");
      return plain === path || (path.endsWith(`/${plain}`) && `${directory}/${plain}`.endsWith(`/${path}`));
    }),
  );
}
