import type { CommandRun } from "../../check-finding.ts";
import { isTestFile } from "../../implied/test-files.ts";
import type { Baseline } from "../baseline.ts";
import { howToAllow } from "../guard-inputs.ts";
import type { ChangeOptions } from "../judge-change.ts";
import { findScript } from "../program-roles.ts";
import type { CheckRecord } from "../records/base-record.ts";

/** Names that stand for their directory: two files of such a name have nothing to do with each other. */
const COMMON_STEM = /^(index|__init__|__main__|main|mod|lib|conftest|setup|package|readme|makefile|config)$/i;

/**
 * An added file that the check reads in the place of one that it read on the untouched tree, and that is still there:
 * what passes is then not what other programs use. An honest replacement deletes the old file, or changes the file that
 * reads it. Seen on both trees, whatever way led from the one to the other. Null: none.
 */
export function findDisplaced(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  { baseline, context, mayChange }: Pick<ChangeOptions, "baseline" | "context" | "mayChange">,
): string | null {
  const added = new Set(
    baseline.changed.flatMap(({ path, kind }) => (kind === "added" && !mayChange(path, true) ? [path] : [])),
  );
  if (!ran || added.size === 0) return null;
  const read = listRead(ran);
  const isLeft = (path: string) => !read.has(path) && context.tree.lookup(path)?.type === "file";
  const found =
    findAnswered(ran, records, baseline, added, isLeft) ?? findNamesake(ran, records, baseline, added, isLeft);
  if (!found) return null;
  const { path, by } = found;
  const advice = baseline.inputs.has(path) ? howToAllow(by) : `Change ${path} itself, or delete it.`;
  return `${by} is read in the place of ${path}, which is still there and which the check read without the change: what others use was not judged. ${advice}`;
}

interface Displaced {
  path: string;
  by: string;
}

type Seen = Pick<CommandRun, "report" | "observed">;

/** The same question of an asker that did not change, with another answer. */
function findAnswered(
  { report }: Seen,
  records: readonly CheckRecord[],
  { changed }: Baseline,
  added: ReadonlySet<string>,
  isLeft: (path: string) => boolean,
): Displaced | null {
  const touched = new Set(changed.map(({ path }) => path));
  const before = new Map<string, string>();
  for (const { language, name, by, found, outside } of records.flatMap((record) => record.report?.modules ?? [])) {
    if (found !== null && !outside) before.set(JSON.stringify([language, name, by]), found);
  }
  for (const { language, name, by, found } of report?.modules ?? []) {
    if (found === null || !added.has(found) || (by !== null && touched.has(by))) continue;
    const path = before.get(JSON.stringify([language, name, by]));
    if (path !== undefined && isLeft(path)) return { path, by: found };
  }
  return null;
}

/** What one reader read, and reads no more: data of the tests, or a file of the same name. */
function findNamesake(
  ran: Seen,
  records: readonly CheckRecord[],
  { inputs, changed }: Baseline,
  added: ReadonlySet<string>,
  isLeft: (path: string) => boolean,
): Displaced | null {
  const touched = new Set(changed.map(({ path }) => path));
  const before = new Map<string, Set<string>>();
  for (const [reader, path] of records.flatMap(listReaders)) {
    if (isLeft(path)) before.set(reader, (before.get(reader) ?? new Set()).add(path));
  }
  for (const [reader, by] of listReaders(ran)) {
    if (!added.has(by) || touched.has(reader)) continue;
    const isData = isTestFile(reader) || inputs.has(reader);
    const path = [...(before.get(reader) ?? [])].find(
      (each) => (isData && inputs.get(each)?.kind === "data") || isNamesake(each, by),
    );
    if (path !== undefined) return { path, by };
  }
  return null;
}

function isNamesake(one: string, other: string): boolean {
  const stem = stemOf(one);
  return stem !== "" && stem === stemOf(other) && !COMMON_STEM.test(stem);
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).split(".")[0] ?? "";
}

/** Who read what: files of the workspace by their names, programs by that of the script that they run, or their own. */
function listReaders({ report, observed }: Seen): [reader: string, path: string][] {
  const reported = report?.files.map(({ by, path }): [string, string] => [by ?? "", path]) ?? [];
  const seen = (observed?.paths ?? []).flatMap(([index, how, path]): [string, string][] => {
    const program = index === null ? undefined : observed?.programs[index];
    if (how !== "read" || !program) return [];
    return [[findScript(program) ?? program.program.slice(program.program.lastIndexOf("/") + 1), path]];
  });
  return [...reported, ...seen];
}

/** Every file that a run read, as observed or as reported by its processes. */
export function listRead({ report, observed }: Seen): Set<string> {
  const files = report?.files.map(({ path }) => path) ?? [];
  const modules = report?.modules.map(({ found }) => found ?? "") ?? [];
  return new Set([...files, ...modules, ...(observed?.paths.map(([, , path]) => path) ?? [])]);
}
