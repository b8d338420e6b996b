import { worthOf } from "../stop-rule.ts";
import type { TriedCandidate } from "../workshop.ts";
import type { CallResults } from "./find-difference.ts";
import type { Strengths } from "./measure-strengths.ts";

/** What each further member adds to the weight of a group, and what all of them add at most. */
const MEMBER = 0.1;
const MOST_AGREEMENT = 0.4;

export interface Group {
  number: number;
  weight: number;
}

/** Groups of candidates with the same results, the weightiest first. */
export function groupByResults(
  passing: readonly TriedCandidate[],
  results: CallResults,
  strengths: Strengths,
): Map<number, Group> {
  const sets = Map.groupBy(
    passing.filter(({ candidate }) => (results.get(candidate.id)?.length ?? 0) > 0),
    ({ candidate }) => JSON.stringify(results.get(candidate.id)),
  );
  const weighed = [...sets.values()].map((members) => {
    // Agreement counts, but little: there are many ways to switch a condition off, and all of them agree.
    const agreement = 1 + Math.min(MOST_AGREEMENT, (members.length - 1) * MEMBER);
    return { members, weight: Math.max(...members.map((tried) => trustedWorth(tried, strengths))) * agreement };
  });
  weighed.sort((a, b) => b.weight - a.weight);
  const groups = new Map<number, Group>();
  for (const [number, { members, weight }] of weighed.entries()) {
    for (const { candidate } of members) groups.set(candidate.id, { number, weight });
  }
  return groups;
}

/** Fewer edits first, then weightier groups, then heavier members. */
export function orderCandidates(
  passing: readonly TriedCandidate[],
  groups: ReadonlyMap<number, Group>,
  strengths: Strengths,
): TriedCandidate[] {
  const weightOf = (tried: TriedCandidate) => groups.get(tried.candidate.id)?.weight ?? trustedWorth(tried, strengths);
  return passing.toSorted(
    (a, b) =>
      a.candidate.edits.length - b.candidate.edits.length ||
      weightOf(b) - weightOf(a) ||
      trustedWorth(b, strengths) - trustedWorth(a, strengths) ||
      a.candidate.id - b.candidate.id,
  );
}

/** How much more a change counts in whose place the tests notice every fault than one where they notice half of them. */
const TRUST_POWER = 3;
/** Few faults say little: what is believed before any was tried, and of how many it has the weight. */
const BELIEVED = 0.9;
const BELIEF = 2;

function trustedWorth(tried: TriedCandidate, strengths: Strengths): number {
  const { killed, total } = strengths.get(tried.candidate.id) ?? { killed: 0, total: 0 };
  return plausibility(tried) * ((killed + BELIEVED * BELIEF) / (total + BELIEF)) ** TRUST_POWER;
}

/** The best of each group, then the others: one that gives the same results as the best says nothing new. */
export function leadersFirst(ranked: readonly TriedCandidate[], groups: ReadonlyMap<number, Group>): TriedCandidate[] {
  const seen = new Set<number>();
  const isLeader = ({ candidate }: TriedCandidate) => {
    const number = groups.get(candidate.id)?.number;
    if (number === undefined) return true;
    return !seen.has(number) && seen.add(number).size > 0;
  };
  const leaders = new Set(ranked.filter(isLeader));
  return [...leaders, ...ranked.filter((tried) => !leaders.has(tried))];
}

/** How likely a change is that passes, before anything is known of its place. */
export function plausibility({ candidate }: TriedCandidate): number {
  return worthOf(candidate) / 10 ** candidate.edits.length;
}
