import type { TreeEdit } from "../judged-tree.ts";
import type { ChangeOptions } from "./judge-change.ts";
import type { CheckRecord } from "./records/base-record.ts";

/**
 * Files that the check makes by itself, and that the change brings along: a build that finds them up to date makes nothing
 * of the source. The check must pass without them as well.
 */
export async function judgeWithoutProducts(
  { check, context, baseline, judge }: ChangeOptions,
  records: readonly CheckRecord[],
): Promise<{ code: string; reason: string } | null> {
  const made = new Set(records.flatMap(({ wrote }) => wrote));
  const brought = baseline.changed.filter(
    ({ path, kind }) => kind !== "deleted" && made.has(path) && context.tree.lookup(path)?.type === "file",
  );
  if (brought.length === 0 || !context.tree.edit) return null;
  const restored: TreeEdit[] = [];
  for (const { path } of brought) {
    const content = await baseline.before.read(path);
    restored.push(content ? { path, content } : { path, delete: true });
  }
  const passes = async (edits: readonly TreeEdit[]) => {
    const tree = await context.tree.edit?.(edits);
    return tree !== undefined && (await judge(check, { ...context, tree })).verdict === "passed";
  };
  if (await passes(restored)) return null;
  // What is put back is newer than its sources: a build that goes by that needs it out of its way.
  const isDeleted = restored.every((edit) => "delete" in edit);
  if (!isDeleted && (await passes(brought.map(({ path }) => ({ path, delete: true }))))) return null;
  const [{ path, kind } = { path: "", kind: "changed" }] = brought;
  const reason = `${path} was ${kind}, and the check makes it by itself: without the one that was brought along, the check fails.`;
  return { code: "made_by_check", reason };
}
