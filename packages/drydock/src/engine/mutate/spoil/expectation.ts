import type { RunPython } from "../../source/run-python.ts";
import type { Splice } from "../../source/splice.ts";

export interface TestFile {
  path: string;
  text: string;
  /** Where neither its name nor its first line tells the language, and somebody else knows. */
  language?: "shell";
}

export interface Spoiling {
  runPython: RunPython;
  /** Any text: the seed of values that must not be predictable. */
  salt?: string;
}

/** One place where a test says what it wants, and the edits that make it want something else. */
export interface Expectation {
  /** The name of the test that holds it. Null: it belongs to no test in particular. */
  test: string | null;
  /** False where an expected exception keeps the test from getting there. */
  isReached: boolean;
  /** Made wrong by itself only: beside others, its failure may be what they then expect. */
  isAlone?: boolean;
  splices: Splice[];
  /** Other edits that make it wrong as well: each further value in it by itself. */
  others?: Splice[][];
  /** Edits after which it is close to what was expected: only a lax comparison passes then. */
  near?: Splice[][];
}

/** Where a test stands in its file. */
export interface TestSpan {
  name: string;
  start: number;
  end: number;
  /** Edits after which it compares with the same values, written in another way. */
  same?: Splice[];
  /** Another name for it, where its own may say the answer. */
  renamed?: { name: string; splices: Splice[] };
}

export interface TestExpectations {
  expectations: Expectation[];
  tests: TestSpan[];
  /** The same for the whole file. */
  same?: Splice[];
  /** Edits of what does not run and may say the answer all the same: comments. */
  aside?: Splice[];
}

/** A test file and what it expects. */
export interface ExpectingFile extends TestFile, TestExpectations {}

export interface Spoiled {
  path: string;
  content: string;
  /** How many places were changed. */
  edits: number;
}
