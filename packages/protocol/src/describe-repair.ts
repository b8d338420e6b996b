import { countWord } from "./count-word.ts";
import type { RepairChange, RepairProgressed, RepairReport, RepairSummary } from "./repair.ts";

/** How much a search did: `312 changes tried in 2.1 s (148 a second)`. */
export function describeSearch({ tried, seconds }: Pick<RepairSummary, "tried" | "seconds">): string {
  const rate = seconds > 0 ? ` (${countWord(Math.round(tried / seconds), "a second", "a second")})` : "";
  return `${countWord(tried, "change")} tried in ${seconds.toFixed(1)} s${rate}`;
}

/** The progress of a search, for display. */
export function describeProgress({
  phase,
  tried,
  perSecond,
  best,
  found,
}: Omit<RepairProgressed, "key" | "task">): string {
  if (phase === "baseline") return "running the tests on the untouched files";
  if (phase === "localise") return "looking for the lines that failing tests execute";
  const rate = tried === 0 ? "" : `, ${countWord(Math.round(perSecond), "a second", "a second")}`;
  const head = `${phase === "compare" ? "comparing" : "searching"}: ${countWord(tried, "change")} tried${rate}`;
  if (found > 0) return `${head}, ${countWord(found, "passes", "pass")} all tests`;
  return best
    ? `${head}, best so far passes ${best.passing} of ${countWord(best.passing + best.failing, "test")}`
    : head;
}

/** What is said about changes that pass beside the one that was taken; null where there are none. */
export function describeOthers({ chosen, found, unconfirmed, changes, differ }: RepairReport): string | null {
  const others = found - 1;
  if (chosen === null || others + unconfirmed < 1) return null;
  if (others < 1) {
    return `${countWord(unconfirmed, "other change")} passed in the search, and there was no time to confirm that`;
  }
  const least = unconfirmed > 0 ? "At least " : "";
  const head = `${least}${countWord(others, "other change also passes", "other changes also pass")}: your tests do not tell them apart`;
  const groups = new Set(changes.map(({ group }) => group));
  const agree = differ === null && groups.size === 1 && !groups.has(null);
  return agree ? `${head}, nor do the other inputs that were tried` : head;
}

/** The changes that also pass, without the one that was taken. */
export function listOthers({ chosen, changes }: Pick<RepairReport, "chosen" | "changes">): RepairChange[] {
  return changes.filter(({ candidate }) => candidate !== chosen);
}

export interface FoldedOthers {
  /** Changes that gave the same results as the one that was taken, on every input that was tried. */
  likeTaken: number;
  /** The first change of each other group, and how many more gave the same results as it. */
  shown: { change: RepairChange; alike: number }[];
}

/**
 * The others, those that gave the same results as one only: `a - (-b)` beside `a + b`. Where none was called, all of them
 * are shown.
 */
export function foldOthers(report: Pick<RepairReport, "chosen" | "changes">): FoldedOthers {
  const taken = report.changes.find(({ candidate }) => candidate === report.chosen);
  const shown: FoldedOthers["shown"] = [];
  let likeTaken = 0;
  for (const change of listOthers(report)) {
    const first = shown.find((each) => isAlike(each.change, change));
    if (taken && isAlike(taken, change)) likeTaken += 1;
    else if (first) first.alike += 1;
    else shown.push({ change, alike: 0 });
  }
  return { likeTaken, shown };
}

function isAlike(one: RepairChange, other: RepairChange): boolean {
  return one.group !== null && one.group === other.group;
}

/** What is said of changes that are folded into one; null where there are none. */
export function describeAlike(count: number, like: "taken" | "this"): string | null {
  if (count === 0) return null;
  const which = like === "taken" ? "the change taken" : "this one";
  return `${countWord(count, "other change", "other changes")} gave the same results as ${which} for every input that was tried`;
}

/** How well the tests check what a change wrote; null where that was not measured. */
export function describeNoticed({ strength }: Pick<RepairChange, "strength">): string | null {
  if (strength === null || strength.total === 0) return null;
  return `the tests notice ${strength.killed} of ${countWord(strength.total, "small fault")} put into it`;
}

/** An input on which changes differ: a line for each result. */
export function describeDiffer({ chosen, differ }: Pick<RepairReport, "chosen" | "differ">): string[] {
  if (!differ) return [];
  const byResult = new Map<string, string[]>();
  for (const { candidate, result } of differ.results) {
    const name = candidate === chosen ? `${candidate} (taken)` : String(candidate);
    byResult.set(result, [...(byResult.get(result) ?? []), name]);
  }
  const lines = [...byResult].map(
    ([result, names]) => `${names.length === 1 ? "change" : "changes"} ${names.join(", ")}: ${result}`,
  );
  return [`They differ on ${differ.input}, whose result no test checks:`, ...lines];
}

/** What the best change lacks, where none passes all tests; null where there is none. */
export function describeBest({ best, stopped }: Pick<RepairSummary, "best" | "stopped">): string | null {
  if (!best) return null;
  const { passing, failing } = best.tests;
  if (failing === 0) {
    const tried = `The best change passes the ${countWord(passing, "test")} that were tried`;
    return stopped === "cancelled"
      ? `${tried}; the whole command was not run.`
      : `${tried}, and not the whole command.`;
  }
  const lacks = `${countWord(failing, "test still fails", "tests still fail")}.`;
  return `The best change passes ${passing} of ${countWord(passing + failing, "test")}. ${lacks}`;
}
