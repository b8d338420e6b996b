import type { Check, EffectivePolicy, RepairStopped } from "@drydock/protocol";
import type { MutableTree } from "../mutate/strength/try-mutants.ts";
import type { TreeRunner } from "../ports.ts";

/** A search for a small change of the source after which checks pass that fail now. No language model takes part in it. */
export interface RepairRequest {
  /** As it is before the repair; `toJudgedTree` makes one of a work tree. It is never changed. */
  tree: MutableTree;
  /** Command checks. At least one of them fails on the tree; all of them have to pass in the end. */
  checks: readonly Check[];
  /** Globs of what may be changed. Tests, their configuration and generated files are left alone whatever it says. */
  scope: readonly string[];
  /** Decides between candidates that are equally likely. The same seed gives the same order. */
  seed: number;
  limits: RepairLimits;
  /** Changes that an earlier search has on record, the best first. Those that fit to the tree are tried before all others. */
  known?: readonly RepairCandidate[];
  signal?: AbortSignal;
  onProgress?(progress: RepairProgress): void;
}

export interface RepairLimits {
  /** Of the whole search, from the call to the outcome. */
  seconds: number;
  /** At most so many candidates are tried. */
  candidates: number;
}

export interface RepairPorts {
  runner: TreeRunner;
  policy: EffectivePolicy;
  /** Sandboxes at once. */
  concurrency: number;
}

/**
 * `baseline`: the checks run on the untouched tree. `localise`: which lines failing and passing tests execute. `search`:
 * candidates are tried. `compare`: those that passed are run by themselves, and compared with each other.
 */
export type RepairPhase = "baseline" | "localise" | "search" | "compare";

export interface RepairProgress {
  phase: RepairPhase;
  /** Candidates so far. */
  tried: number;
  /** Candidates in a second of the search so far. */
  perSecond: number;
  /** The candidate with the most passing tests so far; null: none is better than the untouched tree. */
  best: { passing: number; failing: number; diff: string } | null;
  /** Candidates so far that pass everything. */
  found: number;
}

/** A changed file, as it is after the repair. */
export interface RepairWrite {
  path: string;
  content: string;
  /** Of the file before; missing in records of older versions. */
  wasSha256?: string;
}

export interface RepairCandidate {
  /** Places at which it differs from the untouched tree. */
  edits: number;
  writes: readonly RepairWrite[];
  /** A unified diff against the untouched tree. */
  diff: string;
  /** What it changes, in a few words: `line 7 of calc.py: - instead of +`. */
  summary: string;
  /** Of the tests that the search ran. A command that reports no single tests counts as one. */
  tests: { passing: number; failing: number };
  /**
   * Candidates with the same number gave the same results for inputs made from those of the tests; null where no such
   * inputs were found. 0 is the largest group.
   */
  group: number | null;
  /** Null where it was not measured. Missing in records of older versions. */
  strength?: RepairStrength | null;
}

/** Small faults that were put into what a change wrote, and how many of them the tests notice. */
export interface RepairStrength {
  killed: number;
  total: number;
}

/** Two repairs that pass all tests, and an input on which they differ: a test that is missing. */
export interface RepairDifference {
  /** A call, as source text: `gcd(0, 4)`. */
  input: string;
  /** Results, by the index of the candidate in `found`. */
  results: readonly { candidate: number; result: string }[];
}

/** Why there was nothing to search, or no way to do it. */
export type RepairObstacle =
  /** All checks pass on the untouched tree. */
  | "nothing_fails"
  /** No check is a command. */
  | "no_command"
  /** Nothing in scope is Python, JavaScript or TypeScript source that may be changed. */
  | "no_source"
  /** No failing test executes a line of what may be changed. */
  | "not_reached"
  /** The tests can't be run: a module is missing, say. */
  | "tests_unusable"
  /** Those that ran while there was time pass, and others were not run. */
  | "tests_too_slow";

export interface RepairLocalisation {
  /** `coverage`: by the lines that tests execute. `trace`: by the places that failures name. `none`: every line alike. */
  method: "coverage" | "trace" | "none";
  tests: { passing: number; failing: number };
  /** The most suspicious first; at most ten. */
  lines: readonly { path: string; line: number; suspicion: number }[];
}

export interface RepairOutcome {
  /** Best first, six at most. Each of them has passed all checks in a fresh sandbox. */
  found: readonly RepairCandidate[];
  /** Candidates that passed in the search, and were not run in a fresh sandbox: there was no time, or enough were found. */
  unconfirmed: number;
  /** Of these, the best, six at most: a later search takes them up. Missing in records of older versions. */
  open?: readonly RepairCandidate[];
  /** The candidate with the most passing tests, where none passes all of them. */
  bestPartial: RepairCandidate | null;
  tried: number;
  seconds: number;
  stopped: RepairStopped;
  reason?: { code: RepairObstacle; message: string };
  localisation: RepairLocalisation | null;
  differ?: RepairDifference;
}
