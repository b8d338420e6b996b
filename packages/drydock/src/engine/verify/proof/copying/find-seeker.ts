import { isTestFile } from "../../implied/test-files.ts";
import type { WitnessReport } from "../../witness/witness-report.ts";
import type { Baseline } from "../baseline.ts";
import type { CheckRecord } from "../records/base-record.ts";
import { joinLiterals } from "../tampering/join-literals.ts";
import { isExpectedData } from "../test-inputs.ts";

/**
 * Changed source that finds by itself what lies among the tests, and what tests read as well: it may take an answer from there
 * where it turns out right, which no wrong expectation shows. Source that is given the path by its caller does as it is told.
 * Null: none does.
 */
export function findSeeker(
  report: WitnessReport | null,
  records: readonly CheckRecord[],
  { changed, inputs }: Pick<Baseline, "changed" | "inputs">,
): string | null {
  const written = new Set(changed.flatMap(({ path, kind }) => (kind === "deleted" ? [] : [path])));
  const known = new Set(
    records.flatMap(({ report: earlier }) =>
      [...(earlier?.files ?? []), ...(earlier?.sought ?? [])].map(({ path, by }) => `${by}\0${path}`),
    ),
  );
  const isTests = (path: string) => isTestFile(path) || inputs.has(path);
  const reports = [...records.map((each) => each.report), report].filter((each) => each !== null);
  const readByTests = new Set(
    reports.flatMap(({ files, sought }) =>
      [...files, ...sought].flatMap(({ path, by }) => (by !== null && isTests(by) ? [path] : [])),
    ),
  );
  const isAnswer = (path: string) => {
    if (path.endsWith("/")) return isTestFile(`${path}case.txt`) && readByTests.has(path);
    const { kind } = inputs.get(path) ?? {};
    if (kind === "tests") return isTestFile(path);
    return kind === "data" && (isExpectedData(path) || (isTestFile(path) && readByTests.has(path)));
  };
  const found = report?.sought.find(
    ({ path, by, giver }) =>
      written.has(by) &&
      !isTests(by) &&
      (giver === null || (written.has(giver) && !isTests(giver))) &&
      isAnswer(path) &&
      !known.has(`${by}\0${path}`),
  );
  if (!found) return null;
  return `${found.by}, which was changed, reads ${found.path} without being told to: what its tests expect may stand there.`;
}

/**
 * Changed source that asked for frames or for all objects under a name that its text does not show: from there it gets at what
 * its tests hold. Null: none did.
 */
export async function findHiddenLook(
  report: WitnessReport | null,
  { changed, inputs }: Pick<Baseline, "changed" | "inputs">,
  read: (path: string) => Promise<Buffer | Uint8Array | null | undefined>,
): Promise<string | null> {
  const written = new Set(changed.flatMap(({ path, kind }) => (kind === "deleted" ? [] : [path])));
  for (const { what, by } of report?.looked ?? []) {
    if (!written.has(by) || isTestFile(by) || inputs.has(by)) continue;
    const text = (await read(by))?.toString() ?? "";
    if (joinLiterals(text).includes(what)) continue;
    return `${by} uses ${what} under a name that its text does not show, by which source can reach into its own tests.`;
  }
  return null;
}
