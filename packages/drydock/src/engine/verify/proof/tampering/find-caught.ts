import type { WitnessReport } from "../../witness/witness-report.ts";
import type { Baseline } from "../baseline.ts";

/** Tests that expect failures, or catch them themselves. */
const CATCHES =
  /\bAssertionError\b|ERR_ASSERTION|\braises\(|\bassertRaises|\bexcept\b|\bthrows\(|\brejects\(|\bcatch\b|\.toThrow/;

/**
 * Changed source that called a test's own function and kept the assertion that failed in it to itself: the check passed, and
 * that test did not hold. Null: none.
 */
export async function findCaught(
  report: WitnessReport | null,
  { changed, inputs, testSide, before }: Pick<Baseline, "changed" | "inputs" | "testSide" | "before">,
): Promise<string | null> {
  const written = new Set(changed.flatMap(({ path, kind }) => (kind === "deleted" ? [] : [path])));
  for (const { by, holder } of report?.caught ?? []) {
    if (!written.has(by) || inputs.has(by) || testSide.has(by) || !inputs.has(holder)) continue;
    // One that is expected to fail may have failed by it.
    if (report?.tests.some(({ file, outcome }) => file === holder && outcome !== "passed")) continue;
    if (CATCHES.test((await before.read(holder))?.toString() ?? "")) continue;
    return `An assertion of ${holder} failed below a call of ${by}, and its test passed all the same: the source suppressed the failure.`;
  }
  return null;
}
