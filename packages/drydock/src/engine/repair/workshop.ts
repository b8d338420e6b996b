import type { Splice } from "../source/splice.ts";
import type { RepairCandidate } from "./repair-types.ts";

/** An edit of one file. Of several edits, each counts in the text that the ones before it left. */
export interface SourceEdit extends Splice {
  path: string;
}

/** One change that may be the repair. */
export interface Candidate {
  id: number;
  edits: readonly SourceEdit[];
  /** How likely it is, compared with others. */
  score: number;
  /** What an earlier search has on record of it. */
  known?: RepairCandidate;
}

export interface SourceFile {
  path: string;
  text: string;
}

/** A file, and how suspicious each of its lines is: 0 to 1. Lines that are missing are above suspicion. */
export interface WeightedFile extends SourceFile {
  weights: ReadonlyMap<number, number>;
}

export interface ListedEdit extends SourceEdit {
  line: number;
  kind: string;
  score: number;
}

/** What the tests do on the untouched tree. Files are numbers in the list that was surveyed. */
export interface RepairSurvey {
  /** Seconds are null for a test that never ended. */
  tests: readonly { name: string; isPassing: boolean; seconds: number | null }[];
  /** Tests that there was no time for. */
  untried: number;
  /** Test files that could not be loaded. */
  errors: number;
  /** Lines, and how many failing and passing tests execute them. */
  lines: readonly { file: number; line: number; failed: number; passed: number }[];
  /** Lines that run while modules are loaded. */
  imported: readonly { file: number; line: number }[];
  /** Places that failures name, innermost first. */
  places: readonly { file: number; line: number }[];
  /** Calls of functions with plain values: file, name, arguments as source text. */
  calls: readonly FunctionCall[];
  /** Modules that the tests load from outside the tree. */
  modules: readonly string[];
}

export interface FunctionCall {
  file: number;
  name: string;
  args: string;
}

/** How one candidate did. */
export interface Trial {
  id: number;
  /** Failing tests that pass with it. */
  fixed: number;
  /** Tests that fail with it, of those that were run or should have been. */
  failing: number;
  /** Whether it was ended because it took too long. */
  isLate: boolean;
}

export interface TriedCandidate {
  candidate: Candidate;
  trial: Trial;
}

/** Which tests a candidate is judged by, and how long one of them may take. */
export interface TrialPlan {
  survey: RepairSurvey;
  failing: readonly string[];
  /** So many of the failing ones come first; the others only where all of these pass. */
  first: number;
  passing: readonly string[];
  testSeconds: number;
  /** Of all tests together, by the clock. */
  wallSeconds: number;
}

export interface TrialRequest {
  plan: TrialPlan;
  candidates: readonly Candidate[];
  /** Nothing is begun after so many. */
  seconds: number;
  watch?: TrialWatch;
}

/** Progress of the trials for the caller, and its way to end them. */
export interface TrialWatch {
  onTrial?(trial: Trial): void;
  /** Aborts where no more trials are wanted. What is under way then counts as not begun. */
  stop?: AbortSignal;
}

export interface TrialReport {
  trials: Trial[];
  /** Begun, and lost with its sandbox. */
  lost: number[];
  /** Why nothing can be tried this way; null where it can. */
  unable: string | null;
}

/** What the search needs of a language and its test runner. */
export interface Workshop {
  /** Files of the tree that may be changed, in the order that a survey counts in. */
  readonly files: readonly string[];
  /** Whether its survey sees which lines are executed. */
  readonly knowsLines: boolean;
  survey(seconds: number): Promise<RepairSurvey | { unable: string }>;
  /** Possible edits, likeliest first. */
  listEdits(files: readonly WeightedFile[], hints: Hints, seed: number, limit: number): Promise<ListedEdit[]>;
  tryCandidates(request: TrialRequest): Promise<TrialReport>;
  /** Results of calls with each candidate, as text; null where a candidate could not be run. */
  callFunctions(request: TrialRequest, calls: readonly FunctionCall[]): Promise<Map<number, string[] | null>>;
  /** More calls, made from known ones. */
  varyCalls(calls: readonly FunctionCall[], seed: number): Promise<FunctionCall[]>;
}

/** Values that tests mention: a constant that is wrong may have to become one of them. */
export interface Hints {
  strings: readonly string[];
  numbers: readonly number[];
}
