import type { WitnessedFile } from "../../witness/witness-report.ts";
import type { CheckRecord } from "../records/base-record.ts";

/**
 * Records without these files as readers: their own readers take their place. Python reports only the first import, so
 * changed source that imports a reference would hide that the tests import it too.
 */
export function attributeToReaders(records: readonly CheckRecord[], silent: ReadonlySet<string>): CheckRecord[] {
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

/** The readers of a file, through any number of files that do not count. */
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
