import type { CommandRun } from "../../check-finding.ts";
import { isTestFile } from "../../implied/test-files.ts";
import type { WitnessReport } from "../../witness/witness-report.ts";
import type { Baseline } from "../baseline.ts";
import { isCompiler } from "../program-roles.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { isExpectedData, isNamedExpected } from "../test-inputs.ts";

/** A file of the tests that the judged work looks at while it runs, which it did not on the untouched trees. */
export interface Reader {
  /** What is read. */
  path: string;
  reason: string;
}

/** Source that looks at its tests or at what they compare with has an answer to copy. */
export function findReader(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  baseline: Baseline,
): Reader | null {
  const changed = new Set(baseline.changed.map(({ path }) => path));
  const before = new Set(records.flatMap(({ report }) => report?.files.map(({ path, by }) => `${by}\0${path}`) ?? []));
  for (const { path, how, by } of ran?.report?.files ?? []) {
    if (how === "run" || by === null || !changed.has(by) || isTestFile(by)) continue;
    const kindOf = baseline.inputs.get(path)?.kind;
    const isAnswer = kindOf === "tests" || kindOf === "program" || (kindOf === "data" && isExpectedData(path));
    if (!isAnswer || before.has(`${by}\0${path}`) || isTold(ran?.report, path, by, changed)) continue;
    return { path, reason: `${by}, which was changed, reads ${path} while it runs, by which it is judged.` };
  }
  return findNewReader(ran?.observed ?? null, records, baseline);
}

/** Whether somebody else named the file to the source, or a directory that holds it, each time: then to read it is what is asked. */
function isTold(
  report: WitnessReport | null | undefined,
  path: string,
  by: string,
  changed: ReadonlySet<string>,
): boolean {
  const sought = report?.sought.filter((each) => each.path === path && each.by === by) ?? [];
  if (sought.length === 0 || isNamedExpected(path)) return false;
  return sought.every(({ giver }) => giver !== null && giver !== "-" && !changed.has(giver));
}

/** A program that did not read a test on the untouched trees and does now: the change may have started it. */
function findNewReader(
  observed: CommandRun["observed"],
  records: readonly CheckRecord[],
  { inputs }: Baseline,
): Reader | null {
  const known = new Set(records.flatMap((record) => (record.observed ? listReaders(record.observed) : [])));
  const hasRecord = records.some((record) => record.observed !== null);
  if (!observed || !hasRecord) return null;
  const found = listReaders(observed).find((reader) => {
    const [, path = ""] = reader.split("\0");
    return !known.has(reader) && /^(tests|program)$/.test(inputs.get(path)?.kind ?? "");
  });
  if (found === undefined) return null;
  const [program = "", path = ""] = found.split("\0");
  return { path, reason: `${program} reads the test file ${path}, which it did not without the change.` };
}

/** Interpreters report which of their files opened the path. */
function listReaders({ programs, paths }: NonNullable<CommandRun["observed"]>): string[] {
  return paths.flatMap(([index, how, path]) => {
    const program = index === null ? undefined : programs[index];
    const name = program?.program.slice(program.program.lastIndexOf("/") + 1) ?? "";
    if (how !== "read" || !program || name === "" || isCompiler(program)) return [];
    return /^(python[\d.]*|node)$/.test(name) ? [] : [`${name}\0${path}`];
  });
}
