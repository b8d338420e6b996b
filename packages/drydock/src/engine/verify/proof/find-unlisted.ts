import type { Observed } from "../../../sandbox/index.ts";
import type { CommandRun } from "../finding.ts";
import type { TreeEdit } from "../judged-tree.ts";
import type { TestComparison } from "./compare-tests.ts";
import type { ChangeOptions } from "./judge-change.ts";
import type { CheckRecord } from "./records/base-record.ts";

/**
 * A file that a glob of the check found, and that the change deleted or renamed out of its reach: the check passes because it
 * no longer looks at it. Null: none, or the check passes with it as well.
 */
export async function findUnlisted(
  ran: CommandRun | undefined,
  { check, context, ground, isNamed, judge }: ChangeOptions,
  records: readonly CheckRecord[],
  compared: TestComparison | null,
): Promise<string | null> {
  // Test runners say themselves which tests they found.
  if (compared !== null || !context.tree.edit) return null;
  const deleted = ground.changed.filter(({ path, kind }) => kind === "deleted" && !isNamed(path, true));
  const gone = deleted.filter(({ path }) => records.some(({ observed }) => observed && isListed(observed, path)));
  const added = ground.changed.filter(
    ({ path, kind }) => kind === "added" && ran?.observed && isListed(ran.observed, path),
  );
  // What was renamed within the glob's reach is looked at as before.
  if (gone.length === 0 || added.length >= gone.length) return null;
  const edits: TreeEdit[] = [];
  for (const { path } of gone) {
    const content = await ground.before.read(path);
    if (content) edits.push({ path, content });
  }
  const { verdict } = await judge(check, { ...context, tree: await context.tree.edit(edits) });
  if (verdict === "passed") return null;
  const [{ path } = { path: "" }] = gone;
  return `${path} was deleted, and the check looked at it before: with it, the check fails. If it may go, say so: drydock run --may-change '${path.replaceAll("'", "'\\''")}'.`;
}

/** Whether a program was given the path as an argument. */
function isListed({ programs }: Observed, path: string): boolean {
  return programs.some(({ arguments: words, directory }) =>
    words.some((word) => {
      const plain = word.replace(/^(?:\.\/)+/, "");
      return plain === path || (path.endsWith(`/${plain}`) && `${directory}/${plain}`.endsWith(`/${path}`));
    }),
  );
}
