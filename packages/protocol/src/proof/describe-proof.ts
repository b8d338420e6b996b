import type { CheckVerdict } from "../check.ts";
import { countWord } from "../count-word.ts";
import type { ControlEvidence, StrengthEvidence, TestEvidence } from "./proof.ts";

// The same sentences on a terminal, in a page and in a file for another program.

/** Whether a check passes and says nothing about the change. Runs on record may be older than `proves`. */
export function provesNothing(check: {
  verdict: CheckVerdict;
  proves?: boolean | null;
  alsoPassesBefore?: boolean | null;
}): boolean {
  return check.verdict === "passed" && !(check.proves ?? check.alsoPassesBefore !== true);
}

/** Each kind of outcome, in the order of display. */
const OUTCOMES = [
  ["newlyPassing", "newly passing"],
  ["stillPassing", "still passing"],
  ["newlyFailing", "newly failing"],
  ["stillFailing", "still failing"],
  ["missing", "missing"],
  ["skipped", "skipped"],
] as const;

/** `12 tests: 3 newly passing, 9 still passing`. */
export function describeTests({ counts, complete, runners }: TestEvidence): string {
  const known = OUTCOMES.reduce((sum, [key]) => sum + counts[key], 0);
  // Those that were added and pass are counted as newly passing as well; where there are no others, they are all there is.
  const total = known === 0 ? counts.added : known;
  const parts = OUTCOMES.filter(([key]) => counts[key] > 0).map(([key, words]) => `${counts[key]} ${words}`);
  if (known === 0 && counts.added > 0) parts.push(`${counts.added} added`);
  const added = known > 0 && counts.added > 0 ? ` (${counts.added} added)` : "";
  const cut = complete ? "" : `; ${runners.join(", ") || "the test runner"} did not report its end`;
  return `${countWord(total, "test")}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}${added}${cut}`;
}

const SPOILED: Record<Exclude<ControlEvidence["kind"], "none">, [one: string, many: string, spoiled: string]> = {
  expectations: ["expectation", "expectations", "wrong expectations"],
  data: ["place in test data", "places in test data", "wrong test data"],
  exports: ["exported value", "exported values", "wrong exported values"],
};

/** `control: 24 expectations made wrong on purpose, the check failed as it should`. */
export function describeControl({ kind, edits, failed, survivors, reason }: ControlEvidence): string {
  if (kind === "none" || failed === null) return `control: none${reason === "" ? "" : `: ${reason}`}`;
  const [one, many, spoiled] = SPOILED[kind];
  if (!failed) return `control: the check still passes with ${spoiled}, so it proves nothing`;
  const kept = survivors.length === 0 ? "" : `; ${survivors.length} newly passing still passed: they prove nothing`;
  return `control: ${edits} ${edits === 1 ? one : many} made wrong on purpose, the check failed as it should${kept}`;
}

/** `strength: 18 of 20 mutants killed`. */
export function describeStrength({ killed, total, found, unmeasured = "no_mutants" }: StrengthEvidence): string {
  if (total === 0) return `strength: not measured: ${UNMEASURED[unmeasured]}`;
  const tried = found > total ? ` (${found} found, ${total} tried)` : "";
  return `strength: ${killed} of ${countWord(total, "mutant")} killed${tried}`;
}

const UNMEASURED: Record<NonNullable<StrengthEvidence["unmeasured"]>, string> = {
  no_mutants: "the selected source has nothing to mutate",
  no_check: "no check runs anything",
  out_of_time: "time ran out before the first mutant was tried",
};

/**
 * Why a strength is not the one that was demanded; null where it is enough, or where there was nothing to mutate.
 * The figure is rounded down: 0.799 is not shown as 0.8.
 */
export function describeShortfall({ score, unmeasured }: StrengthEvidence, least: number): string | null {
  if (score !== null) return score < least ? `strength ${Math.floor(score * 100) / 100} is below ${least}` : null;
  if (unmeasured === undefined || unmeasured === "no_mutants") return null;
  return `strength was not measured, and ${least} is demanded: ${UNMEASURED[unmeasured]}`;
}
