import type { WitnessedFile } from "../../witness/witness-report.ts";
import type { CheckRecord } from "../records/base-record.ts";

/**
 * Records in which these files ask for nothing themselves: whoever asked for them asks in their place. Python tells of the
 * first import only, so that changed source which imports a reference would hide that the tests do.
 */
export function passOnAsking(records: readonly CheckRecord[], silent: ReadonlySet<string>): CheckRecord[] {
  return records.map((record) => {
    if (!record.report) return record;
    const askers = Map.groupBy(record.report.files, ({ path }) => path);
    const files = record.report.files.flatMap((file) =>
      file.by === null || !silent.has(file.by)
        ? [file]
        : findAskers(file.by, askers, silent).map((by) => ({ ...file, by })),
    );
    return { ...record, report: { ...record.report, files } };
  });
}

/** Who asked for a file, over any number of files that do not count. */
function findAskers(
  path: string,
  askers: ReadonlyMap<string, readonly WitnessedFile[]>,
  silent: ReadonlySet<string>,
): (string | null)[] {
  const [seen, found] = [new Set([path]), new Set<string | null>()];
  for (const each of seen) {
    for (const { by } of askers.get(each) ?? []) {
      if (by !== null && silent.has(by)) seen.add(by);
      else found.add(by);
    }
  }
  return [...found];
}
