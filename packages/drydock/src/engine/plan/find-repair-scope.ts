import { type CheckRecord, findTestInputs, isTestConfiguration, isTestFile } from "../verify/index.ts";

const SOURCE = /\.(py|[cm]?[jt]sx?)$/;
const MAX_PATHS = 1000;

/**
 * The source that failing checks execute: what their processes loaded of the workspace, without tests and whatever else
 * decides over the checks.
 */
export function findRepairScope(
  records: readonly CheckRecord[],
  isWritable: (path: string) => boolean,
  isFile: (path: string) => boolean,
): string[] {
  const inputs = findTestInputs(records);
  const loaded = new Set<string>();
  for (const { report } of records) {
    for (const { path, how } of report?.files ?? []) if (how !== "open" || SOURCE.test(path)) loaded.add(path);
    for (const { found } of report?.modules ?? []) if (found !== null) loaded.add(found);
  }
  return [...loaded]
    .filter((path) => SOURCE.test(path) && isFile(path) && isWritable(path))
    .filter((path) => !inputs.has(path) && !isTestFile(path) && !isTestConfiguration(path))
    .sort()
    .slice(0, MAX_PATHS)
    .map(toGlob);
}

/** A path as a glob that matches it: each character that would mean more stands for any one. */
function toGlob(path: string): string {
  return path.replace(/[*?[\]{}!\\]/g, "?");
}
