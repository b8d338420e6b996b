import type { RepairSurvey, TrialPlan } from "./workshop.ts";

/** A test may take so much longer than the slowest that passes now, and at least so many seconds of the processor. */
const SLOWER = 5;
const AT_LEAST_SECONDS = 0.06;
/** Tests that take longer are left to the run that confirms a candidate. */
const SLOW_SECONDS = 2;
const MAX_TESTS = 400;

/**
 * Which tests a candidate has to pass, quick ones first. Where some failing tests are quick, slow ones are left to the run
 * that confirms a candidate, and those that never end now are run with what mends all the others. The survey's times are
 * those of a traced run.
 */
export function planTrials(survey: RepairSurvey): TrialPlan {
  const bySpeed = survey.tests.toSorted((a, b) => (a.seconds ?? 99) - (b.seconds ?? 99));
  const failing = bySpeed.filter(({ isPassing }) => !isPassing);
  const quick = failing.filter(({ seconds }) => (seconds ?? 99) < SLOW_SECONDS);
  const endless = failing.filter(({ seconds }) => seconds === null);
  const tried = (quick.length > 0 ? [...quick, ...endless] : failing).slice(0, MAX_TESTS);
  const passing = bySpeed.filter(({ isPassing, seconds }) => isPassing && (seconds ?? 99) < SLOW_SECONDS);
  const total = [...tried, ...passing].reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
  const slowest = passing.at(-1)?.seconds ?? 0;
  const testSeconds = Math.min(SLOW_SECONDS, Math.max(AT_LEAST_SECONDS, slowest * SLOWER));
  return {
    survey,
    failing: tried.map(({ name }) => name),
    first: Math.min(tried.length, quick.length > 0 ? quick.length : failing.length),
    passing: passing.map(({ name }) => name).slice(0, MAX_TESTS),
    testSeconds,
    wallSeconds: total * 2 + testSeconds * 5 + 1,
  };
}
