import { listMutants, type Mutant } from "../../mutate/list-mutants.ts";
import { createRunPython } from "../../source/run-python.ts";
import { toWrites } from "../describe-candidate.ts";
import { spliceBetween } from "../list-known-candidates.ts";
import type { RepairPorts, RepairRequest, RepairStrength } from "../repair-types.ts";
import { runTrials } from "../run-trials.ts";
import type { TriedPlace } from "../search-candidates.ts";
import { isPassing } from "../stop-rule.ts";
import type { Candidate, SourceEdit, TrialPlan, TriedCandidate, Workshop } from "../workshop.ts";

export interface StrengthOptions {
  request: RepairRequest;
  ports: RepairPorts;
  workshop: Workshop;
  plan: TrialPlan;
  /** As `performance.now()` counts. */
  deadline: number;
}

/** Small faults for each change, and the time for all of them together. */
const MAX_MUTANTS = 12;
const MAX_SECONDS = 3;

interface ChangeMutant {
  of: number;
  candidate: Candidate;
}

/** By a candidate's id. A change in whose place no fault was tried is missing. */
export type Strengths = ReadonlyMap<number, RepairStrength>;

/**
 * How many small faults in what a change wrote the tests notice: what they do not notice there could as well be something
 * else. These are other edits of the same place, which the search has tried already. Had the tests not noticed that they are
 * wrong, they would pass as well.
 */
export function countNeighbours(passing: readonly TriedCandidate[], places: readonly TriedPlace[]): Strengths {
  return new Map(passing.flatMap(({ candidate }) => countOthers(candidate, places)));
}

/** The same with further faults: mutants of what the change wrote. They are tried as candidates are. */
export async function addMutants(
  known: Strengths,
  { request, ports, workshop, plan, deadline }: StrengthOptions,
  passing: readonly TriedCandidate[],
): Promise<Strengths> {
  const lists = await listChangeMutants(request, ports, passing);
  const mutants = inTurns(lists);
  const strengths = new Map(known);
  const seconds = Math.min(MAX_SECONDS, (deadline - performance.now()) / 1000);
  if (mutants.length === 0 || seconds <= 0) return strengths;
  const signal = AbortSignal.any([AbortSignal.timeout(seconds * 1000), ...(request.signal ? [request.signal] : [])]);
  const owners = new Map(mutants.map(({ of, candidate }) => [candidate.id, of]));
  const { trials } = await runTrials(
    workshop,
    plan,
    mutants.map(({ candidate }) => candidate),
    { lanes: ports.concurrency, seconds, watch: { stop: signal } },
  );
  for (const trial of trials) {
    const owner = owners.get(trial.id);
    if (owner === undefined) continue;
    const { killed, total } = strengths.get(owner) ?? { killed: 0, total: 0 };
    strengths.set(owner, { killed: killed + (isPassing(trial) ? 0 : 1), total: total + 1 });
  }
  return strengths;
}

function countOthers({ id, edits }: Candidate, places: readonly TriedPlace[]): [number, RepairStrength][] {
  const [edit, second] = edits;
  if (!edit || second) return [];
  const isSame = (place: TriedPlace) =>
    place.path === edit.path &&
    (edit.start === edit.end
      ? place.start === edit.start && place.end === edit.end
      : place.start < edit.end && place.end > edit.start);
  const others = places.filter((place) => place.id !== id && isSame(place));
  const killed = others.filter(({ isPassing: passes }) => !passes).length;
  return others.length === 0 ? [] : [[id, { killed, total: others.length }]];
}

/** The mutants of each change, as candidates: the change, and one small fault in what it wrote. */
async function listChangeMutants(
  request: RepairRequest,
  ports: RepairPorts,
  passing: readonly TriedCandidate[],
): Promise<ChangeMutant[][]> {
  const runPython = createRunPython(ports.runner, request.tree, request.signal);
  const places = await Promise.all(passing.map(({ candidate }) => findPlaces(request, candidate)));
  const files = places.flatMap((found) => found.map(({ path, text, lines }) => ({ path, text, lines: [lines] })));
  // All of them in one process; their paths say nothing, as each change has its own text of the same file.
  const numbered = files.map((file, index) => ({ ...file, path: `${index}/${file.path}` }));
  const { mutants } = await listMutants(numbered, runPython, { seed: request.seed, limit: Number.POSITIVE_INFINITY });
  const byFile = Map.groupBy(mutants, ({ path }) => Number(path.split("/", 1)[0]));
  let file = 0;
  let id = 0;
  return passing.map(({ candidate }, index) =>
    (places[index] ?? []).flatMap((place) =>
      chooseMutants(byFile.get(file++) ?? [], place).map(({ splice }) => {
        const edits: SourceEdit[] = [...candidate.edits, { path: place.path, ...splice }];
        return { of: candidate.id, candidate: { id: --id, edits, score: 0 } };
      }),
    ),
  );
}

interface ChangedPlace {
  path: string;
  /** Before the change, and after it. */
  was: string;
  text: string;
  /** What the change wrote: offsets in the text after it. */
  start: number;
  end: number;
  /** The lines of that. */
  lines: [from: number, to: number];
}

async function findPlaces({ tree }: RepairRequest, { edits }: Candidate): Promise<ChangedPlace[]> {
  const places: ChangedPlace[] = [];
  for (const { path, content } of await toWrites(tree, edits)) {
    const was = (await tree.read(path))?.toString() ?? "";
    const { start, replacement } = spliceBetween(was, content);
    const end = start + replacement.length;
    const lineAt = (offset: number) => content.slice(0, offset).split("\n").length;
    places.push({ path, was, text: content, start, end, lines: [lineAt(start), lineAt(end)] });
  }
  return places;
}

/** Faults in what the change wrote; where none can be made there, in its lines. One that undoes the change says nothing. */
function chooseMutants(mutants: readonly Mutant[], { was, text, start, end }: ChangedPlace): Mutant[] {
  const others = mutants.filter(({ splice }) => apply(text, splice) !== was);
  const inside = others.filter(({ splice }) => splice.start <= end && splice.end >= start);
  return spread(inside.length > 0 ? inside : others, MAX_MUTANTS);
}

function apply(text: string, { start, end, replacement }: Mutant["splice"]): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** So many of them, from the first to the last. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}

/** The first of each list, then the second of each: where the time ends early, all are measured alike. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const most = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: most }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
