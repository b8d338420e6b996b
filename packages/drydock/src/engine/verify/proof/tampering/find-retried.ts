import type { WitnessReport } from "../../witness/witness-report.ts";

/**
 * A test that failed before the change and now passes only when its runner tries it again: an answer that is another one each
 * time meets what is expected at some time. Null: none.
 */
export function findRetried(report: WitnessReport | null, newlyPassing: readonly string[]): string | null {
  const found = report?.retried.find((id) => newlyPassing.includes(id));
  return found === undefined
    ? null
    : `${found} failed with the change as well, and passed only when its runner tried it again: the change does not work each time.`;
}
