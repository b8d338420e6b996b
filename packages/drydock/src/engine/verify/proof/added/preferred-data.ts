import type { CommandRun } from "../../check-finding.ts";
import { isTestFile } from "../../implied/test-files.ts";
import { howToAllow } from "../guard-inputs.ts";
import type { ChangeOptions } from "../judge-change.ts";
import { isCode } from "../judged-subject.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { listRead } from "./displaced.ts";

type Options = Pick<ChangeOptions, "check" | "baseline" | "context" | "mayChange" | "judge">;

/**
 * Added data that tests prefer to data that was there, where they did not come to reading any on the untouched tree: without
 * it, the check fails, and reads a file that it now passes over. Costs a run only where such data lies beside some that nobody reads.
 * Null: none.
 */
export async function findPreferredData(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  options: Options,
): Promise<string | null> {
  const { check, context, judge } = options;
  if (!ran || !context.tree.edit) return null;
  const read = listRead(ran);
  const added = listCandidates(ran, records, options, read);
  const [first] = added;
  if (first === undefined) return null;
  const tree = await context.tree.edit(added.map((path) => ({ path, delete: true as const })));
  const without = await judge(check, { ...context, tree });
  if (without.verdict === "passed" || !without.ran) return null;
  const places = new Set(added.map(placeOf));
  const path = [...listRead(without.ran)].find(
    (each) => !read.has(each) && places.has(placeOf(each)) && context.tree.lookup(each)?.type === "file",
  );
  if (path === undefined) return null;
  return `${first} is read in the place of ${path}, which is still there: without it, the check fails. ${howToAllow(first)}`;
}

function listCandidates(
  ran: CommandRun,
  records: readonly CheckRecord[],
  { baseline, context, mayChange }: Options,
  read: ReadonlySet<string>,
): string[] {
  const { changed, inputs } = baseline;
  const touched = new Set(changed.map(({ path }) => path));
  const isJudge = (by: string | null) => by !== null && !touched.has(by) && (inputs.has(by) || isTestFile(by));
  const missed = new Set(records.flatMap(({ report }) => report?.files.map(({ path }) => path) ?? []));
  const readByJudges = new Set(ran.report?.files.flatMap(({ path, by }) => (isJudge(by) ? [path] : [])) ?? []);
  const open = changed.filter(({ path, kind }) => kind === "added" && readByJudges.has(path) && !isCode(path));
  return open.flatMap(({ path }) => {
    if (missed.has(path) || mayChange(path, true)) return [];
    const beside = context.tree.paths(path.slice(0, Math.max(0, path.lastIndexOf("/"))) || undefined);
    const isPassedOver = beside.some(
      (each) => !touched.has(each) && placeOf(each) === placeOf(path) && !read.has(each),
    );
    return isPassedOver ? [path] : [];
  });
}

/** Directory and ending. */
function placeOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return `${path.slice(0, slash + 1)}\0${
    path
      .slice(slash + 1)
      .split(".")
      .slice(1)
      .at(-1) ?? ""
  }`;
}
