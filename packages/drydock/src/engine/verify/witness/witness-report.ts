import type { TestOutcome, TestRunner } from "@drydock/protocol";
import type { ServiceReport } from "../inside/run-driver.ts";

export interface WitnessedTest {
  id: string;
  runner: TestRunner;
  outcome: TestOutcome;
  /** Relative to the workspace; null where the test lies outside of it. */
  file: string | null;
}

export interface WitnessedFile {
  /** Relative to the workspace. It need not exist: failed attempts to open a file are recorded as well. */
  path: string;
  how: "import" | "open" | "run";
  /**
   * The reader: the nearest file of the workspace on the stack or import chain, or the one that started the process.
   * Null: the command line, the runner or something outside of the workspace.
   */
  by: string | null;
}

export interface WitnessedModule {
  language: "python" | "node";
  name: string;
  by: string | null;
  /** Relative to the workspace where it lies there; null: nowhere. */
  found: string | null;
  outside: boolean;
}

/** A tool of the tests that was another object when a process ended than when it started. */
export interface ReplacedTool {
  what: string;
  /** Where that other object was written: below the workspace, or elsewhere by its whole path. Null: unknown. */
  by: string | null;
  /** The file of the workspace that the process ran; null where it ran something else, such as a test runner. */
  program: string | null;
  /** The file of the workspace that the thing belongs to; null: it is a tool of the language or of a test runner. */
  holder: string | null;
}

/** An operator that a class of the workspace has of its own. */
export interface OwnOperator {
  /** The name of the class. */
  owner: string;
  file: string;
  /** `__eq__`, or `__class__` where it says of what class it is. */
  name: string;
  /** Its lines, from 1; 0 where they are not known. */
  first: number;
  last: number;
}

/** The reports that the processes of one check sent from inside. */
export interface WitnessReport {
  /** Null where the command did not end in time, or a service ended before it could start. */
  exitCode: number | null;
  services: ServiceReport[];
  /** `complete`: each run of it reported its own end. */
  runners: { name: TestRunner; complete: boolean }[];
  tests: WitnessedTest[];
  /**
   * Tests that are known and have no outcome: collected and never finished; or read from the syntax tree of a file that
   * could not be collected, where an id may be the first part of several.
   */
  named: { id: string; file: string }[];
  /** Only in mode `record`. */
  files: WitnessedFile[];
  /** Only in mode `record`. */
  modules: WitnessedModule[];
  /** Directories and archives of the workspace on Python's `sys.path` of any process; "" is the workspace. */
  searchPath: string[];
  /**
   * Files that a file of the workspace opened, and directories that it listed (`a/b/`), with the file that named them to it: `-` for
   * the command line, null where nobody did. Only in mode `record`, and of Python.
   */
  sought: { path: string; by: string; giver: string | null }[];
  /** Frames and lists of all objects that a file of the workspace asked for. Only in mode `record`, and of Python. */
  looked: { what: string; by: string }[];
  /** Only in mode `record`. */
  replaced: ReplacedTool[];
  /** Code of the workspace below whose call an assertion of a test failed, and the file of that test. Only in mode `record`. */
  caught: { by: string; holder: string }[];
  /** Only in mode `record`, and of Python. */
  operators: OwnOperator[];
  /**
   * Answers whose own operator decided over a comparison, and that hold nothing that says the same; who had them compared.
   * Only in mode `decisions`.
   */
  decided: (Pick<OwnOperator, "owner" | "file"> & { asker: string | null })[];
  /** Ids of tests that passed only after they had failed: the runner tried them again. */
  retried: string[];
  /** It was ended early: a test used up its processor time without an end. */
  stalled: boolean;
  /** Something was left out because it was too much. */
  truncated: boolean;
}
