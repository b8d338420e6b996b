import type { WitnessReport } from "../witness/witness-report.ts";
import { nameTests, type TestComparison, withoutTests } from "./compare-tests.ts";
import type { ChangeOptions } from "./judge-change.ts";
import type { CheckRecord } from "./records/base-record.ts";
import { runForRecord } from "./records/take-record.ts";

/** A second run on the tree that the change started from, after the check has passed with the change. */
export interface Confirmation {
  /** Null where there is none. */
  take(): Promise<CheckRecord | null>;
  /** Ends a run that nobody waits for. */
  end(): Promise<void>;
}

/** What is left of a proof once the check has run without the change again. */
export interface Confirmed {
  compared: TestComparison | null;
  /** Why nothing is left; null: what failed without the change still does. */
  doubt: string | null;
  alsoPassesBefore: boolean;
}

const NONE: Confirmation = { take: async () => null, end: async () => {} };
/** Beside controls a run takes longer than alone. */
const SPARE_SECONDS = 10;

/**
 * A failure that was seen once may have been a chance, or a matter of the time of day: before it counts, the check runs
 * without the change again, later than the run that passed. It begins at once, so that the controls run beside it.
 * `known`: such a run that shows all that is asked, and need not be made again.
 */
export function beginConfirmation(
  options: ChangeOptions,
  records: readonly CheckRecord[],
  known: CheckRecord | null = null,
): Confirmation {
  const record = records.at(-1);
  // A run that was ended because a test never ends has a rule of its own, and would take as long again.
  if (!record || record.passed || record.report?.stalled) return NONE;
  if (known) return { ...NONE, take: async () => known };
  const ending = new AbortController();
  const again = runAgain(record, options, ending.signal);
  again.catch(() => {});
  return {
    take: () => again,
    async end() {
      ending.abort();
      await Promise.allSettled([again]);
    },
  };
}

/** As the record was taken, but only the results are of interest. */
async function runAgain(record: CheckRecord, options: ChangeOptions, ended: AbortSignal): Promise<CheckRecord> {
  const { check, baseline, context, judge } = options;
  const timeout = Math.min(check.timeout ?? Number.POSITIVE_INFINITY, secondsFor(record, options));
  const signal = context.signal ? AbortSignal.any([context.signal, ended]) : ended;
  const own = { ...context, tree: baseline.before, signal, watch: undefined };
  const again = await runForRecord({ ...check, timeout }, own, judge);
  if (again.isStable) await baseline.keepSecond(check, again.record);
  return again.record;
}

/** One that did not end the first time need not be waited for as long again: if it can pass, it takes as long as with the change. */
function secondsFor({ report, durationMs }: CheckRecord, options: ChangeOptions): number {
  const hasEnded = report !== null && report.exitCode !== null;
  const longest = hasEnded ? Math.max(durationMs, options.durationMs) : options.durationMs;
  return Math.ceil((2 * longest) / 1000) + SPARE_SECONDS;
}

/** What passes without the change as well was not made to pass by it, and its record says so from now on. */
export async function confirmFailure(
  confirmation: Confirmation,
  compared: TestComparison | null,
  { check, baseline }: ChangeOptions,
): Promise<Confirmed> {
  const again = await confirmation.take();
  const alsoPassesBefore = again?.passed ?? false;
  const passing = new Set(again?.report?.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
  const chance = compared?.newlyPassing.filter((id) => passing.has(id)) ?? [];
  if (!again || (!alsoPassesBefore && chance.length === 0)) return { compared, doubt: null, alsoPassesBefore };
  await baseline.amend(check, (record) => amendRecord(record, again));
  const left = compared && withoutTests(compared, chance);
  const isLeft = !alsoPassesBefore && (left?.newlyPassing.length ?? 0) > 0;
  return { compared: left, doubt: isLeft ? null : describeChance(chance, check.cmd), alsoPassesBefore };
}

function describeChance(tests: readonly string[], command: string): string {
  const what = tests.length > 0 ? nameTests(tests) : `\`${command}\``;
  return `${what} failed only sometimes on the untouched tree: when the check ran there once more, without the change, it passed.`;
}

/** Of each test the better outcome counts: one that has passed without any change needs none. */
function amendRecord(record: CheckRecord, { passed, reason, report: again }: CheckRecord): CheckRecord {
  if (!record.report || !again) return { ...record, passed, reason };
  const known = new Map(record.report.tests.map((test) => [test.id, test]));
  for (const test of again.tests) if (test.outcome === "passed" || !known.has(test.id)) known.set(test.id, test);
  const tests = [...known.values()];
  const isByTests = hasFailing(record.report) && hasFailing(again);
  return {
    ...record,
    // Each time another test failed by chance.
    passed: passed || (isByTests && !hasFailing({ tests })),
    reason,
    report: {
      ...record.report,
      exitCode: again.exitCode ?? record.report.exitCode,
      runners: again.runners,
      tests,
      named: again.named.filter(({ id }) => !known.has(id)),
    },
  };
}

function hasFailing({ tests }: Pick<WitnessReport, "tests">): boolean {
  return tests.some(({ outcome }) => outcome === "failed");
}
