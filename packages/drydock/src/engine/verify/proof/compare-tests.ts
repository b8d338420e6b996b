import type { TestEvidence, TestOutcome } from "@drydock/protocol";
import type { WitnessReport } from "../witness/witness-report.ts";
import { worseOutcome } from "../witness/worse-outcome.ts";
import type { CheckRecord } from "./records/base-record.ts";

const MAX_LISTED = 200;
const MAX_NAMED = 3;

export interface TestComparison {
  evidence: TestEvidence;
  /** Null: every test that there was is still run, and none fails. */
  problem: { code: string; reason: string } | null;
  /** All of them, where the evidence lists the first ones. */
  newlyPassing: readonly string[];
  added: readonly string[];
}

/**
 * Test by test: what the untouched trees reported against what the judged one reports. Null where no test runner took
 * part on either side.
 */
export function compareTests(
  records: readonly CheckRecord[],
  report: WitnessReport | null,
  options: {
    /** Tests of these files may vanish: a person named the files. */
    exempt: (file: string) => boolean;
    /** Whether the command ended as the check wants it to: then none of its tests may have failed. */
    mustPass: boolean;
    /** Whether a file was there before the change. */
    existed: (file: string) => boolean;
  },
): TestComparison | null {
  const before = mergeBefore(records, options.exempt);
  const after = readOutcomes(report);
  addUnreached(before, report, options.existed);
  const runners = [...new Set([...records.flatMap((record) => namesOf(record.report)), ...namesOf(report)])];
  if (runners.length === 0) return null;
  const lists = sortTests(before, after);
  const complete = report !== null && report.runners.length > 0 && report.runners.every((runner) => runner.complete);
  const evidence: TestEvidence = {
    runners,
    complete,
    counts: {
      newlyPassing: lists.newlyPassing.length,
      stillPassing: lists.stillPassing,
      newlyFailing: lists.newlyFailing.length,
      stillFailing: lists.stillFailing.length,
      missing: lists.missing.length,
      skipped: lists.skipped.length,
      added: lists.added.length,
    },
    newlyPassing: lists.newlyPassing.slice(0, MAX_LISTED),
    newlyFailing: lists.newlyFailing.slice(0, MAX_LISTED),
    stillFailing: lists.stillFailing.slice(0, MAX_LISTED),
    missing: lists.missing.slice(0, MAX_LISTED),
    skipped: lists.skipped.slice(0, MAX_LISTED),
    added: lists.added.slice(0, MAX_LISTED),
  };
  const problem = findProblem(lists, { complete, truncated: report?.truncated ?? false, mustPass: options.mustPass });
  return { evidence, problem, newlyPassing: lists.newlyPassing, added: lists.added };
}

/** The same comparison, where these tests had passed before as well. */
export function withoutTests(compared: TestComparison, tests: readonly string[]): TestComparison {
  const gone = new Set(tests);
  const newlyPassing = compared.newlyPassing.filter((id) => !gone.has(id));
  const { counts } = compared.evidence;
  const stillPassing = counts.stillPassing + compared.newlyPassing.length - newlyPassing.length;
  const evidence: TestEvidence = {
    ...compared.evidence,
    counts: { ...counts, newlyPassing: newlyPassing.length, stillPassing },
    newlyPassing: newlyPassing.slice(0, MAX_LISTED),
  };
  return { ...compared, evidence, newlyPassing };
}

interface Before {
  outcomes: Map<string, TestOutcome>;
  /** Read from the syntax of files that could not be collected: the id, or the beginning of ids with parameters. */
  named: Set<string>;
  /** Files of which any test is known. */
  files: Set<string>;
}

function mergeBefore(records: readonly CheckRecord[], exempt: (file: string) => boolean): Before {
  const outcomes = new Map<string, TestOutcome>();
  const named = new Set<string>();
  const files = new Set<string>();
  for (const { report } of records) {
    for (const { file } of [...(report?.tests ?? []), ...(report?.named ?? [])]) if (file !== null) files.add(file);
    const own = readOutcomes(report, (file) => file === null || !exempt(file));
    for (const [id, outcome] of own) outcomes.set(id, outcome);
    for (const { id, file } of report?.named ?? []) if (!exempt(file)) named.add(id);
  }
  for (const id of outcomes.keys()) named.delete(id);
  return { outcomes, named, files };
}

/** Tests of a file that was there and of which nothing was reported: the check did not get to them, so they had not passed. */
function addUnreached(before: Before, report: WitnessReport | null, existed: (file: string) => boolean): void {
  const known = new Set(before.files);
  for (const { id, file } of report?.tests ?? []) {
    if (file !== null && !known.has(file) && existed(file)) before.outcomes.set(id, "failed");
  }
}

/** Of a test that several runners report, the worst counts. */
function readOutcomes(
  report: WitnessReport | null,
  isWanted: (file: string | null) => boolean = () => true,
): Map<string, TestOutcome> {
  const outcomes = new Map<string, TestOutcome>();
  for (const { id, outcome, file } of report?.tests ?? []) {
    if (isWanted(file)) outcomes.set(id, worseOutcome(outcomes.get(id), outcome));
  }
  return outcomes;
}

/** The ids of `named` that this one is, or is a part of: with parameters (`id[1]`), or below it (`id > part`). */
function* findNamed(id: string, named: ReadonlySet<string>, lengths: ReadonlySet<number>): Generator<string> {
  for (const { index } of [{ index: id.length }, ...id.matchAll(/\[| > /g)]) {
    const start = lengths.has(index) ? id.slice(0, index) : null;
    if (start !== null && named.has(start)) yield start;
  }
}

/** The tests of each kind by name; of those that pass as before only the number is of interest. */
type Lists = { [Kind in keyof TestEvidence["counts"]]: Kind extends "stillPassing" ? number : string[] };

function sortTests({ outcomes, named }: Before, after: ReadonlyMap<string, TestOutcome>): Lists {
  const lists: Lists = {
    newlyPassing: [],
    stillPassing: 0,
    newlyFailing: [],
    stillFailing: [],
    missing: [],
    skipped: [],
    added: [],
  };
  const ofNamed = new Set<string>();
  const ran = new Set<string>();
  const lengths = new Set([...named].map((id) => id.length));
  for (const id of after.keys()) {
    for (const each of findNamed(id, named, lengths)) {
      ofNamed.add(id);
      ran.add(each);
    }
  }
  lists.missing.push(...[...named].filter((id) => !ran.has(id)));
  for (const [id, is] of after) {
    const was = outcomes.get(id) ?? (ofNamed.has(id) ? "failed" : undefined);
    if (was === undefined) {
      if (is === "failed") lists.newlyFailing.push(id);
      else lists.added.push(id);
    } else if (is === "passed") {
      if (was === "passed") lists.stillPassing += 1;
      else lists.newlyPassing.push(id);
    } else if (is === "failed") {
      (was === "failed" ? lists.stillFailing : lists.newlyFailing).push(id);
    } else if (was === "passed" || was === "failed") {
      lists.skipped.push(id);
    }
  }
  // Parameters may come from what was changed: one that passed may go if the test has as many others as before.
  const [wasBefore, isNow] = [countParameters(outcomes.keys()), countParameters(after.keys())];
  for (const [id, was] of outcomes) {
    // One that was never run before proves nothing by being gone.
    if (after.has(id) || was === "skipped" || was === "expected") continue;
    const test = testOf(id);
    const isRenamed = was === "passed" && test !== null && (isNow.get(test) ?? 0) >= (wasBefore.get(test) ?? 0);
    if (!isRenamed) lists.missing.push(id);
  }
  return lists;
}

function testOf(id: string): string | null {
  return /^(.*?)\[.*\]$/s.exec(id)?.[1] ?? null;
}

function countParameters(ids: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const test = testOf(id);
    if (test !== null) counts.set(test, (counts.get(test) ?? 0) + 1);
  }
  return counts;
}

function findProblem(
  lists: Lists,
  facts: { complete: boolean; truncated: boolean; mustPass: boolean },
): TestComparison["problem"] {
  if (lists.missing.length > 0) {
    return { code: "test_missing", reason: `${nameTests(lists.missing)} ran before the change and did not run now.` };
  }
  if (lists.skipped.length > 0) {
    return { code: "test_skipped", reason: `${nameTests(lists.skipped)} ran before the change and is skipped now.` };
  }
  if (facts.mustPass && lists.newlyFailing.length > 0) {
    return { code: "test_failed", reason: `${nameTests(lists.newlyFailing)} failed, whatever the exit status says.` };
  }
  if (facts.mustPass && lists.stillFailing.length > 0) {
    return {
      code: "test_failed",
      reason: `${nameTests(lists.stillFailing)} still fails, whatever the exit status says.`,
    };
  }
  if (facts.truncated) return { code: "report_cut", reason: "The test runner reported more than can be read." };
  if (!facts.complete) {
    return { code: "report_incomplete", reason: "The test runner ended without a complete report of its tests." };
  }
  return null;
}

export function nameTests(ids: readonly string[]): string {
  const named = ids.slice(0, MAX_NAMED).join(", ");
  return ids.length > MAX_NAMED ? `${named} and ${ids.length - MAX_NAMED} more` : named;
}

function namesOf(report: WitnessReport | null) {
  return report?.runners.map(({ name }) => name) ?? [];
}
