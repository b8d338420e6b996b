import type { RepairSurvey, TrialPlan } from "./workshop.ts";

/** A test may take so much longer than the slowest that passes now, and at least so many seconds of the processor. */
const SLOWER = 5;
const AT_LEAST_SECONDS = 0.06;
/** Tests that take longer are left to the run that confirms a candidate. */
const SLOW_SECONDS = 2;
const MAX_TESTS = 400;

/** Which tests a candidate has to pass, quick ones first. The survey's times are those of a traced run. */
export function planTrials(survey: RepairSurvey): TrialPlan {
  const bySpeed = survey.tests.toSorted((a, b) => (a.seconds ?? 99) - (b.seconds ?? 99));
  const failing = bySpeed.filter(({ isPassing }) => !isPassing).map(({ name }) => name);
  const passing = bySpeed.filter(({ isPassing, seconds }) => isPassing && (seconds ?? 99) < SLOW_SECONDS);
  const total = bySpeed.reduce((sum, { seconds }) => sum + Math.min(seconds ?? 0, SLOW_SECONDS), 0);
  const slowest = passing.at(-1)?.seconds ?? 0;
  const testSeconds = Math.min(SLOW_SECONDS, Math.max(AT_LEAST_SECONDS, slowest * SLOWER));
  return {
    survey,
    failing: failing.slice(0, MAX_TESTS),
    passing: passing.map(({ name }) => name).slice(0, MAX_TESTS),
    testSeconds,
    wallSeconds: total * 2 + testSeconds * 5 + 1,
  };
}
