import type { ChangedPath } from "../../changed-paths.ts";
import { isTestFile } from "../../implied/test-files.ts";
import { isCode } from "../judged-subject.ts";
import type { CheckRecord } from "../records/base-record.ts";
import type { TestInput } from "../test-inputs.ts";

/**
 * Data that the change deleted, in a directory whose names a script of the check goes through: a name says which case there is,
 * and perhaps what should come out, and nobody needs to open it. What source goes through as well is source's.
 */
export function findListedCases(
  changed: readonly ChangedPath[],
  records: readonly CheckRecord[],
  inputs: ReadonlyMap<string, TestInput>,
): [path: string, input: TestInput][] {
  const lists = records.flatMap(({ report }) => report?.sought.filter(({ path }) => path.endsWith("/")) ?? []);
  return changed.flatMap(({ path, kind }): [string, TestInput][] => {
    if (kind !== "deleted" || isCode(path) || inputs.has(path)) return [];
    const directory = path.slice(0, path.lastIndexOf("/") + 1);
    const readers = lists.filter((list) => list.path === directory).map(({ by }) => by);
    const [by] = readers;
    const isJudge = (reader: string) => inputs.get(reader)?.kind === "command" || isTestFile(reader);
    if (by === undefined || !readers.every(isJudge)) return [];
    return [[path, { kind: "data", why: `lies in ${directory}, whose files ${by} goes through` }]];
  });
}
