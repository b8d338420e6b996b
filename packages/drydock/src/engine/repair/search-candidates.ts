import { DrydockError } from "@drydock/protocol";
import type { CandidatePool } from "./candidate-pool.ts";
import { runTrials } from "./run-trials.ts";
import { isPassing, StopRule } from "./stop-rule.ts";
import type { Candidate, SourceEdit, Trial, TrialPlan, TriedCandidate, Workshop } from "./workshop.ts";

export interface SearchOptions {
  workshop: Workshop;
  pool: CandidatePool;
  plan: TrialPlan;
  /** They are tried first. Where one of them passes, no other is looked for. */
  known?: readonly Candidate[];
  lanes: number;
  /** As `performance.now()` counts: nothing is begun after it. */
  deadline: number;
  maxCandidates: number;
  signal?: AbortSignal;
  /** Called after each batch, and with the first that passes. */
  onProgress(): void;
}

export interface SearchState {
  tried: number;
  /** Seconds in which candidates were tried. */
  seconds: number;
  /** They pass all tests. In the order in which they were tried. */
  passing: TriedCandidate[];
  /** They pass more tests than the untouched tree. */
  improved: TriedCandidate[];
  /** Where single edits were tried, and what came of them. */
  places: TriedPlace[];
  end: "found" | "exhausted" | "time" | "limit" | "cancelled" | "unable";
  unable: string | null;
}

export interface TriedPlace extends Pick<SourceEdit, "path" | "start" | "end"> {
  id: number;
  isPassing: boolean;
}

/** More are not kept. */
const MAX_PLACES = 20_000;
const FIRST_BATCH = 200;
const MAX_BATCH = 2000;
/** Where some candidates have helped, second edits begin when so much of the time is over. */
const SHARE_OF_SINGLES = 0.75;
/** After so many single edits, those that mend different tests are joined: a single one that mends all was likelier before. */
const SINGLES_FIRST = 400;
/** A candidate that was ended for its time gets so much more in the end. */
const SECOND_CHANCE = 10;
const MAX_LATE = 300;

export function createState(): SearchState {
  return { tried: 0, seconds: 0, passing: [], improved: [], places: [], end: "exhausted", unable: null };
}

/**
 * Tries candidates, likeliest first, until enough have passed, none is left, or the time is over. The given state changes
 * with every candidate: a caller that ends the search has what was found until then.
 */
export async function searchCandidates(options: SearchOptions, state = createState()): Promise<SearchState> {
  try {
    return await tryUntil(options, state);
  } catch (error) {
    // What was found until then is not lost where no more can be listed or tried.
    if (state.tried === 0) throw error;
    return { ...state, end: "unable", unable: whyStopped(error) };
  }
}

/** Of an error that ends a search, and not the run: the first part of a sentence. Throws any other. */
export function whyStopped(error: unknown): string {
  if (!(error instanceof DrydockError) || error.code === "run.cancelled") throw error;
  return error.message.replace(/\.$/, "");
}

async function tryUntil(options: SearchOptions, state: SearchState): Promise<SearchState> {
  const since = performance.now();
  const turn = since + (options.deadline - since) * SHARE_OF_SINGLES;
  const rule = new StopRule();
  const work: TrialWork = { plan: options.plan, late: [], stop: new AbortController(), rule };
  let hasTurned = false;
  let batch = FIRST_BATCH;
  if (options.known && options.known.length > 0) {
    const unable = await tryBatch(options, state, work, options.known);
    if (unable !== null) return { ...state, end: "unable", unable };
    if (state.passing.length > 0) return { ...state, end: "found" };
    if (!options.signal?.aborted) await options.pool.grow(bestBases(state));
  }
  for (;;) {
    if (options.signal?.aborted) return { ...state, end: "cancelled" };
    const isLate = performance.now() > options.deadline;
    if (isLate || state.tried >= options.maxCandidates) {
      return { ...state, end: state.passing.length > 0 ? "found" : isLate ? "time" : "limit" };
    }
    if (work.stop.signal.aborted) return { ...state, end: "found" };
    const isTurn: boolean =
      !hasTurned && performance.now() > turn && state.improved.length > 0 && state.passing.length === 0;
    if (options.pool.isEmpty || isTurn) {
      hasTurned ||= isTurn;
      const isGrown = state.passing.length === 0 && (await options.pool.grow(bestBases(state)));
      if (!isGrown && !isTurn) {
        if (work.late.length === 0 || state.passing.length > 0) {
          return { ...state, end: state.passing.length > 0 ? "found" : "exhausted" };
        }
        giveSecondChance(options, work);
      }
    }
    const candidates = await options.pool.take(Math.min(batch, options.maxCandidates - state.tried));
    if (candidates.length === 0) continue;
    const unable = await tryBatch(options, state, work, candidates);
    if (unable !== null) return { ...state, end: "unable", unable };
    if (state.passing.length === 0 && state.tried >= SINGLES_FIRST) {
      options.pool.join(state.improved, options.plan.failing.length);
    }
    // As many as the sandboxes get through in one use.
    batch = Math.min(MAX_BATCH, Math.max(FIRST_BATCH, Math.round((state.tried / state.seconds) * 7)));
  }
}

interface TrialWork {
  plan: TrialPlan;
  /** Those that were ended for their time. */
  late: Candidate[];
  rule: StopRule;
  /** Aborted when enough was found. */
  stop: AbortController;
}

function giveSecondChance({ pool }: SearchOptions, work: TrialWork): void {
  const { testSeconds, wallSeconds } = work.plan;
  work.plan = { ...work.plan, testSeconds: testSeconds * SECOND_CHANCE, wallSeconds: wallSeconds * SECOND_CHANCE };
  pool.putBack(work.late.splice(0, MAX_LATE));
  work.late.length = 0;
}

/** Tries candidates and notes each of them when it is known. Returns why nothing can be tried; null where it can. */
async function tryBatch(
  options: SearchOptions,
  state: SearchState,
  { plan, late, rule, stop }: TrialWork,
  candidates: readonly Candidate[],
): Promise<string | null> {
  const began = performance.now();
  const secondsBefore = state.seconds;
  const waiting = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  const onTrial = (trial: Trial) => {
    const candidate = waiting.get(trial.id);
    if (!candidate) return;
    waiting.delete(trial.id);
    note(state, candidate, trial, plan === options.plan ? late : []);
    state.seconds = secondsBefore + (performance.now() - began) / 1000;
    if (isPassing(trial) && state.passing.length === 1) options.onProgress();
    if (rule.take(candidate, trial)) stop.abort();
  };
  const { trials, left, unable } = await runTrials(options.workshop, plan, candidates, {
    lanes: options.lanes,
    seconds: (options.deadline - began) / 1000,
    watch: { stop: stop.signal, onTrial },
  });
  if (unable !== null) return unable;
  options.pool.putBack(left);
  for (const trial of trials) onTrial(trial);
  state.seconds = secondsBefore + (performance.now() - began) / 1000;
  options.onProgress();
  return null;
}

function note(state: SearchState, candidate: Candidate, trial: Trial, late: Candidate[]): void {
  state.tried += 1;
  if (trial.isLate) late.push(candidate);
  const [edit, ...others] = candidate.edits;
  if (edit && others.length === 0 && state.places.length < MAX_PLACES) {
    const { path, start, end } = edit;
    state.places.push({ id: candidate.id, path, start, end, isPassing: isPassing(trial) });
  }
  if (isPassing(trial)) state.passing.push({ candidate, trial });
  else if (trial.fixed > 0) state.improved.push({ candidate, trial });
}

function bestBases({ improved }: SearchState): Candidate[] {
  return improved
    .toSorted((a, b) => a.trial.failing - b.trial.failing || b.candidate.score - a.candidate.score)
    .map(({ candidate }) => candidate);
}
