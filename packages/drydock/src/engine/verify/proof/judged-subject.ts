import { isTestFile } from "../implied/test-files.ts";
import { findScript, listRoles } from "./program-roles.ts";
import type { CheckRecord } from "./records/base-record.ts";

const CODE =
  /\.([cm]?[jt]sx?|pyi?|pyx|rb|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|swift|sh|pl|pm|t|lua|exs?|hs|awk|sql|scala|clj|dart|r|jl|vue|svelte)$/i;

export function isCode(path: string): boolean {
  return CODE.test(path);
}

/**
 * Programs that execute something of the tree besides reading its data. If there are none, the data itself is the work.
 */
export interface Subjects {
  /** Whether this file that judges loads, runs or reads code of the tree, or what `isOther` finds. */
  isJudgedBy(by: string, isInput: (path: string) => boolean, isOther?: (path: string) => boolean): boolean;
  /** Whether a program that the check's command runs has something to try out. */
  isJudgedByScript(record: CheckRecord, script: string): boolean;
}

export function findSubjects(records: readonly CheckRecord[]): Subjects {
  const files = records.flatMap(({ report }) => report?.files ?? []);
  // A service or a program without a witness is executed by its clients, and those are not known.
  const isAnybody = records.some((record) => (record.report?.services.length ?? 0) > 0 || startsOthers(record));
  return {
    isJudgedBy: (by, isInput, isOther = () => false) =>
      isAnybody ||
      files.some((file) => {
        if (file.by !== by || file.path === by || isInput(file.path) || isTestFile(file.path)) return false;
        return file.how === "run" || (isCode(file.path) && !isPackageMarker(file.path)) || isOther(file.path);
      }),
    isJudgedByScript: ({ report, observed }, script) =>
      (report?.services.length ?? 0) > 0 ||
      (observed?.paths.some(([, how, path]) => path !== script && (how === "exec" || isCode(path))) ?? false) ||
      (observed?.programs.some((program) => ![null, script].includes(findScript(program))) ?? false),
  };
}

/** Loaded with whatever lies in the package, test or not. */
function isPackageMarker(path: string): boolean {
  return path.endsWith("__init__.py");
}

/** Whether an interpreter that tells of itself starts a program that does not. */
function startsOthers({ observed }: CheckRecord): boolean {
  if (!observed) return false;
  const roles = listRoles(observed);
  return observed.programs.some(
    ({ parent }, index) => parent !== null && roles[parent] === "witnessed" && roles[index] !== "witnessed",
  );
}
