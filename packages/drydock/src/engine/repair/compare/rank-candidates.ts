import { DrydockError } from "@drydock/protocol";
import { describeCandidate, hashText, toWrites } from "../describe-candidate.ts";
import type { RepairCandidate, RepairDifference, RepairPorts, RepairRequest } from "../repair-types.ts";
import { runLanes } from "../run-lanes.ts";
import type { TriedPlace } from "../search-candidates.ts";
import type { FunctionCall, TrialPlan, TriedCandidate, Workshop } from "../workshop.ts";
import { confirm } from "./confirm.ts";
import { type CallResults, findDifference } from "./find-difference.ts";
import { addMutants, countNeighbours, type Strengths } from "./measure-strengths.ts";
import { type Group, groupByResults, leadersFirst, orderCandidates, plausibility } from "./order-candidates.ts";

export interface CompareOptions {
  request: RepairRequest;
  ports: RepairPorts;
  workshop: Workshop;
  plan: TrialPlan;
  /** Where the search tried single edits. */
  places: readonly TriedPlace[];
  /** As `performance.now()` counts. */
  deadline: number;
}

/** Candidates that are compared, and those that are confirmed and returned. */
const MAX_COMPARED = 40;
const MAX_CONFIRMED = 6;
const CONFIRM_SECONDS = 4;
/** When the time is over, so many are still run. */
const MAX_OVERDUE = 2;
const CALL_SECONDS = 6;
const MAX_CALLS = 160;

export interface RankedCandidates {
  /** They were confirmed. */
  candidates: RepairCandidate[];
  differ: RepairDifference | null;
  /** How many were neither confirmed nor refused, and the best of them. */
  unconfirmed: number;
  open: RepairCandidate[];
}

/**
 * Orders candidates that pass all tests. Fewer edits come first; then groups with the same results on other inputs, by
 * their likeliest member and, a little, by how many they are, and by how many small faults in the change the tests notice;
 * then likelier edits.
 */
export async function rankCandidates(
  options: CompareOptions,
  found: readonly TriedCandidate[],
  tests: number,
): Promise<RankedCandidates> {
  const passing = preferNames(await dropSame(options.request.tree, found));
  const compared = passing.toSorted((a, b) => plausibility(b) - plausibility(a)).slice(0, MAX_COMPARED);
  const calls = await findCalls(options, compared);
  const results = calls.length > 0 ? await callAll(options, compared, calls) : new Map();
  const strengths = await measureRivals(options, compared, results);
  const groups = groupByResults(compared, results, strengths);
  const ranked = orderCandidates(compared, groups, strengths);
  const { confirmed, refused } = await confirmBest(options, ranked, groups);
  const described = (await describeAll(options.request.tree, confirmed, tests)).map((candidate, index) => ({
    ...candidate,
    group: groups.get(confirmed[index]?.candidate.id ?? -1)?.number ?? null,
    strength: strengths.get(confirmed[index]?.candidate.id ?? -1) ?? null,
  }));
  const left = passing.filter((tried) => !refused.has(tried) && !confirmed.includes(tried));
  return {
    candidates: described,
    differ: findDifference(confirmed, calls, results),
    unconfirmed: left.length,
    open: await describeAll(options.request.tree, rankOpen(left), tests),
  };
}

/** Of those that leave the same files, the likeliest. Edits in another order, or in other words, can come to the same. */
async function dropSame(tree: RepairRequest["tree"], found: readonly TriedCandidate[]): Promise<TriedCandidate[]> {
  const known = new Map<string, TriedCandidate>();
  for (const tried of found.toSorted((a, b) => plausibility(b) - plausibility(a) || a.candidate.id - b.candidate.id)) {
    const writes = await toWrites(tree, tried.candidate.edits);
    const key = JSON.stringify(writes.map(({ path, content }) => [path, hashText(content)]).toSorted());
    if (!known.has(key)) known.set(key, tried);
  }
  return [...known.values()];
}

const PLAIN_VALUE = /^(?:-?\d[\d_.]*|"[^"]*"|'[^']*')$/;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$.]*$/u;
const VALUE = 0.4;

/** Where a name and a value pass at the same place, the name holds for other inputs as well, and the value fits the tests. */
export function preferNames(passing: readonly TriedCandidate[]): TriedCandidate[] {
  const placeOf = ({ candidate: { edits } }: TriedCandidate) =>
    JSON.stringify(edits.map(({ path, start, end }) => [path, start, end]));
  const isEach = ({ candidate: { edits } }: TriedCandidate, pattern: RegExp) =>
    edits.every(({ replacement }) => pattern.test(replacement.trim()));
  const named = new Set(passing.filter((tried) => isEach(tried, NAME)).map(placeOf));
  return passing.map((tried) => {
    if (!isEach(tried, PLAIN_VALUE) || !named.has(placeOf(tried))) return tried;
    return { ...tried, candidate: { ...tried.candidate, score: tried.candidate.score * VALUE } };
  });
}

/** The best of those that passed in the search: as many as are put on record. */
export function rankOpen(passing: readonly TriedCandidate[]): TriedCandidate[] {
  return passing.toSorted((a, b) => plausibility(b) - plausibility(a)).slice(0, MAX_CONFIRMED);
}

export function describeAll(
  tree: RepairRequest["tree"],
  tried: readonly TriedCandidate[],
  tests: number,
): Promise<RepairCandidate[]> {
  return Promise.all(tried.map((each) => describeCandidate(tree, each, tests)));
}

/** The first that holds, and some of the next while there is time. In their order. */
async function confirmBest(
  options: CompareOptions,
  ranked: readonly TriedCandidate[],
  groups: ReadonlyMap<number, Group>,
): Promise<{ confirmed: TriedCandidate[]; refused: Set<TriedCandidate> }> {
  const { request, ports, deadline } = options;
  const confirmed = new Set<TriedCandidate>();
  const refused = new Set<TriedCandidate>();
  const until = Math.min(deadline, performance.now() + CONFIRM_SECONDS * 1000);
  const todo = leadersFirst(ranked, groups).entries();
  const work = async (failed: AbortSignal) => {
    const signal = request.signal ? AbortSignal.any([request.signal, failed]) : failed;
    for (const [index, tried] of todo) {
      if (signal.aborted || confirmed.size >= MAX_CONFIRMED) return;
      if (confirmed.size > 0 && performance.now() > until) return;
      // Tests that take a minute are run once or twice all the same, and not by everything that was found.
      if (index >= MAX_OVERDUE && performance.now() > deadline) return;
      if (await confirm({ ...request, signal }, ports, tried.candidate)) confirmed.add(tried);
      else if (!signal.aborted) refused.add(tried);
    }
  };
  await runLanes(Array.from({ length: ports.concurrency }, () => work));
  return { confirmed: ranked.filter((tried) => confirmed.has(tried)).slice(0, MAX_CONFIRMED), refused };
}

/** Calls of the functions in the changed files, and variations of them. */
async function findCalls(
  { workshop, plan, request }: CompareOptions,
  passing: readonly TriedCandidate[],
): Promise<FunctionCall[]> {
  if (passing.length < 2) return [];
  const paths = new Set(passing.flatMap(({ candidate }) => candidate.edits.map(({ path }) => path)));
  const known = plan.survey.calls.filter(({ file }) => paths.has(workshop.files[file] ?? ""));
  if (known.length === 0) return [];
  try {
    return (await workshop.varyCalls(known, request.seed)).slice(0, MAX_CALLS);
  } catch (error) {
    if (request.signal?.aborted || !(error instanceof DrydockError)) throw error;
    return known.slice(0, MAX_CALLS); // without other inputs, those of the tests are left to compare
  }
}

async function callAll(
  { workshop, plan }: CompareOptions,
  passing: readonly TriedCandidate[],
  calls: readonly FunctionCall[],
) {
  const candidates = passing.map(({ candidate }) => candidate);
  return workshop.callFunctions({ plan, candidates, seconds: CALL_SECONDS }, calls);
}

/** Mutants are made of the best of those with the fewest edits: so many. */
const MAX_MUTATED = 8;

/** What each rival's tests notice. One change alone has no rival, and its strength would decide nothing. */
async function measureRivals(
  options: CompareOptions,
  compared: readonly TriedCandidate[],
  results: CallResults,
): Promise<Strengths> {
  const fewest = Math.min(...compared.map(({ candidate }) => candidate.edits.length));
  const rivals = compared.filter(({ candidate }) => candidate.edits.length === fewest);
  if (rivals.length < 2) return new Map();
  const known = countNeighbours(rivals, options.places);
  try {
    const best = orderCandidates(rivals, groupByResults(rivals, results, known), known).slice(0, MAX_MUTATED);
    return await addMutants(known, options, best);
  } catch (error) {
    if (options.request.signal?.aborted || !(error instanceof DrydockError)) throw error;
    return known; // without mutants, what the search has tried is left
  }
}
