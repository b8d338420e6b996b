import type { RepairLocalisation } from "./repair-types.ts";
import type { RepairSurvey, Workshop } from "./workshop.ts";

export interface Suspicion {
  /** By the number of a file, then by line. */
  weights: Map<number, Map<number, number>>;
  summary: RepairLocalisation;
}

/** What runs on loading is seldom the cause, unless nothing else is. */
const ON_LOADING = 0.25;
/** Lines in the traceback of a failure. */
const NAMED = 1.4;
const LISTED_LINES = 10;

/**
 * How suspicious each line is, by the formula of Ochiai: lines that failing tests execute and passing ones do not come
 * first, those that a failure's traceback names before others.
 */
export function localise({ files }: Pick<Workshop, "files">, survey: RepairSurvey): Suspicion {
  const failing = survey.tests.filter(({ isPassing }) => !isPassing).length;
  const weights = new Map<number, Map<number, number>>();
  const raise = (file: number, line: number, weight: number) => {
    const lines = weights.get(file) ?? new Map<number, number>();
    lines.set(line, Math.max(weight, lines.get(line) ?? 0));
    weights.set(file, lines);
  };
  for (const { file, line, failed, passed } of survey.lines) {
    if (failed > 0) raise(file, line, failed / Math.sqrt(Math.max(failing, 1) * (failed + passed)));
  }
  const method = weights.size > 0 ? "coverage" : survey.places.length > 0 ? "trace" : "none";
  for (const { file, line } of survey.places) {
    const known = weights.get(file)?.get(line);
    raise(file, line, Math.min(1, (known ?? 0.5) * NAMED));
  }
  for (const { file, line } of survey.imported) {
    if (weights.has(file) || method !== "coverage") raise(file, line, ON_LOADING);
  }
  const passing = survey.tests.length - failing;
  return { weights, summary: { method, tests: { passing, failing }, lines: listLines(weights, files) } };
}

function listLines(weights: Suspicion["weights"], files: readonly string[]): RepairLocalisation["lines"] {
  return [...weights]
    .flatMap(([file, lines]) => [...lines].map(([line, suspicion]) => ({ path: files[file] ?? "", line, suspicion })))
    .sort((a, b) => b.suspicion - a.suspicion || a.path.localeCompare(b.path) || a.line - b.line)
    .slice(0, LISTED_LINES)
    .map(({ suspicion, ...place }) => ({ ...place, suspicion: Math.round(suspicion * 1000) / 1000 }));
}
