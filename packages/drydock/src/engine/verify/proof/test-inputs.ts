import type { ObservedProgram } from "../../../sandbox/index.ts";
import { isLinterConfiguration, isTestConfiguration, isTestDirectory, isTestFile } from "../implied/test-files.ts";
import type { WitnessedFile } from "../witness/witness-report.ts";
import { listMadeFrom } from "./data/made-from.ts";
import { findSubjects, isCode, type Subjects } from "./judged-subject.ts";
import { findScript, isGoBetween, listCommandScripts, listRoles, looksLikeCheck } from "./program-roles.ts";
import type { CheckRecord } from "./records/base-record.ts";
import { listCompiled } from "./test-programs.ts";

/**
 * Why a file belongs to the side that judges. `tests`: it holds tests, or helps them. `program`: the same of what a compiler
 * reads. `data`: they read it. `command`: the check's command runs it. `settings`: the test runner reads it.
 */
export type InputKind = "tests" | "program" | "data" | "command" | "settings";

export interface TestInput {
  kind: InputKind;
  /** For people: what was seen. */
  why: string;
  /** Data whose readers were not seen to try out anything else: it may be the work itself. See `listReleased`. */
  isAlone?: true;
}

const DATA = /\.(jsonc?|ya?ml|toml|csv|tsv|txt|xml|snap)$/;
const EXPECTED_DATA =
  /(^|[^a-z])(expect|golden|gold|want|ref(erence)?s?([^a-z]|$)|answer|correct|oracle|truth|baseline|snap|fixture|approved|cassette|exp([^a-z]|$))/i;

/** Code that stands in for something in tests, where nothing else uses it. */
const DOUBLE = /(^|[/_.-])(fakes?|mocks?|stubs?|doubles|dummy|dummies)(?=[/_.-])/i;

/**
 * The files that decide over a check, as observed on trees that the judged work has not touched: the readers of a file
 * show whether it judges or is judged.
 */
export function findTestInputs(records: readonly CheckRecord[]): Map<string, TestInput> {
  const inputs = new Map<string, TestInput>();
  const note: Note = (path, kind, why, isAlone = false) => {
    if (!inputs.has(path)) inputs.set(path, { kind, why, ...(isAlone && { isAlone }) });
  };
  const files = records.flatMap(({ report }) => report?.files ?? []);
  for (const { report, observed } of records) {
    const scripts = observed && listCommandScripts(observed);
    for (const { path, how, by } of report?.files ?? []) {
      if (by !== null || how !== "run" || isPreloaded(path, report)) continue;
      // A program that a script of the check starts is what is tried out, as a rule.
      if (scripts && !scripts.has(path) && !looksLikeCheck(path)) continue;
      note(path, isTestFile(path) ? "tests" : "command", "is run by the check's command");
    }
  }
  addTestFiles(records, files, inputs, note);
  addLoadedByRunner(records, note);
  const subjects = findSubjects(records);
  addHelpersAndData(files, inputs, subjects, note);
  addGolden(records, note);
  for (const record of records) addCompiled(record, note);
  for (const record of records) addObserved(record, subjects, note);
  for (const record of records) addCompared(record, note);
  for (const { path, by } of records.flatMap(listMadeFrom)) {
    note(path, "data", `is read by ${by ?? "a program"}, which makes the tests that the check runs`);
  }
  // What the check writes itself is no input, whatever the order of reading and writing was.
  for (const { wrote } of records) for (const path of wrote) inputs.delete(path);
  return inputs;
}

/** `node --require ./setup.js --test` runs it as a module before all tests. */
function isPreloaded(path: string, report: CheckRecord["report"]): boolean {
  const isImported = report?.files.some((file) => file.path === path && file.how === "import" && file.by === null);
  return isImported === true && (report?.runners.length ?? 0) > 0 && !isTestFile(path);
}

type Note = (path: string, kind: InputKind, why: string, isAlone?: boolean) => void;
type Inputs = ReadonlyMap<string, TestInput>;

/** Files with tests in them; a source file with examples or tests inside is still the work. */
function addTestFiles(
  records: readonly CheckRecord[],
  files: readonly WitnessedFile[],
  inputs: Inputs,
  note: Note,
): void {
  const holding = new Set<string>();
  for (const { report } of records) {
    for (const { id, file } of [...(report?.tests ?? []), ...(report?.named ?? [])]) {
      if (file !== null && !isDoctest(id, file)) holding.add(file);
    }
  }
  const isJudge = (path: string) => holding.has(path) || inputs.has(path);
  for (const path of holding) {
    if (isTestFile(path) || isReadOnlyByJudges(path, files, isJudge))
      note(path, "tests", "holds tests that the check runs");
  }
}

/** pytest names the examples of a docstring after the module, `calc.py::calc.add`. */
export function isDoctest(id: string, file: string): boolean {
  const name = id.split("::")[1];
  const stem = /([^/]+)\.pyi?$/.exec(file)?.[1];
  if (name === undefined || stem === undefined) return false;
  const parts = name.split(".");
  return parts.includes(stem) && !name.includes("[");
}

function addLoadedByRunner(records: readonly CheckRecord[], note: Note): void {
  for (const { report } of records) {
    if (!report || report.runners.length === 0) continue;
    // A module that was compiled before is not opened again, but its import is still observed.
    const reads = [...report.files, ...report.modules.map(({ by, found }) => ({ by, path: found ?? "" }))];
    const readByOthers = new Set(reads.filter(({ by, path }) => by !== null && by !== path).map(({ path }) => path));
    const withDoctests = new Set(
      report.tests.map(({ id, file }) => (file !== null && isDoctest(id, file) ? file : "")),
    );
    for (const { path, how, by } of report.files) {
      if (by !== null) continue;
      const isLoaded = how === "import" && (isTestFile(path) || (!readByOthers.has(path) && !withDoctests.has(path)));
      if (isLoaded && !isPackageMarker(path)) {
        note(path, isTestFile(path) ? "tests" : "settings", "is loaded by the test runner");
      } else if (how === "open" && (isTestConfiguration(path) || isLinterConfiguration(path))) {
        note(path, "settings", "is read by the check's tools");
      }
    }
  }
}

/** Loaded with whatever lies in the package, test or not. */
function isPackageMarker(path: string): boolean {
  return path.endsWith("__init__.py") && !isTestDirectory(path);
}

/** A helper may be read by a helper: repeats until there is nothing new. */
function addHelpersAndData(files: readonly WitnessedFile[], inputs: Inputs, subjects: Subjects, note: Note): void {
  for (let size = -1; size !== inputs.size; ) {
    size = inputs.size;
    for (const { path, how, by } of files) {
      if (by === null || by === path || inputs.has(path)) continue;
      const asker = inputs.get(by)?.kind;
      if (asker === "settings" && isReadOnlyByJudges(path, files, (other) => inputs.get(other)?.kind === "settings")) {
        note(path, "settings", `is loaded by ${by}, which configures the tests`);
      }
      if (asker !== "tests" && asker !== "command") continue;
      const isOnlyJudges = isReadOnlyByJudges(path, files, (other) => inputs.has(other));
      const isAlone = isOnlyJudges && isLookedAtAlone(path, files, inputs, subjects);
      if (how === "import" && (isTestFile(path) || DOUBLE.test(path)) && isOnlyJudges) {
        note(path, "tests", `is loaded by ${by}`);
      } else if (how === "import" && DATA.test(path) && isOnlyJudges) {
        note(path, "data", `is loaded by ${by}, which holds tests`, isAlone);
      } else if (how === "open" && asker === "tests" && (!isCode(path) || isTestFile(path)) && isOnlyJudges) {
        note(path, "data", `is read by ${by}, which holds tests`, isAlone);
      } else if (how === "open" && asker === "command" && isExpectedData(path)) {
        note(path, "data", `is read by ${by}, which the check runs`);
      } else if (how === "run" && looksLikeCheck(path)) {
        note(path, "command", `is started by ${by}, which the check runs`);
      }
    }
  }
}

/** Data by itself is what a test looks at; beside something that is tried out, it says what should come out. */
function isLookedAtAlone(path: string, files: readonly WitnessedFile[], inputs: Inputs, subjects: Subjects): boolean {
  if (isTestFile(path)) return false;
  const isOther = (other: string) => other !== path && isExpectedData(path) && !isExpectedData(other);
  const readers = files.filter((file) => file.path === path).flatMap(({ by }) => (by === null ? [] : [by]));
  return !readers.some((by) => subjects.isJudgedBy(by, (other) => inputs.has(other), isOther));
}

function isReadOnlyByJudges(
  path: string,
  files: readonly WitnessedFile[],
  isJudge: (path: string) => boolean,
): boolean {
  return files.every((file) => file.path !== path || file.by === null || file.by === path || isJudge(file.by));
}

/** The source under test is compiled by the same command: names decide, and then what a file holds. */
function addCompiled({ observed, programs }: CheckRecord, note: Note): void {
  for (const path of listCompiled(observed)) {
    if (isTestFile(path)) note(path, "program", "is compiled into the check's tests");
    else if (programs.includes(path)) note(path, "program", "is the source of a test program that the check compiles");
  }
}

/** All readers count, including source that loads it by name: these names have no other use. */
const GOLDEN = /(^|[/_.-])(golden|goldens|expected|snapshots?|__snapshots__|approved)([/_.-]|$)/i;

function addGolden(records: readonly CheckRecord[], note: Note): void {
  for (const { report } of records) {
    if ((report?.runners.length ?? 0) === 0) continue;
    for (const { path, how } of report?.files ?? []) {
      if (how === "open" && GOLDEN.test(path) && !isCode(path))
        note(path, "data", "is what tests compare with, by its name");
    }
  }
}

/** What only the sandbox saw: shells, compilers, tools and whatever else has no witness of its own. */
function addObserved(record: CheckRecord, subjects: Subjects, note: Note): void {
  const { observed } = record;
  if (!observed) return;
  const roles = listRoles(observed);
  for (const [index, how, path] of observed.paths) {
    const program = index === null ? undefined : observed.programs[index];
    if (index === null || !program) continue;
    if (how === "read" && holdsRules(program, path)) note(path, "settings", "tells the check what to look for");
    // Linters are programs of a package, and bundlers read settings past the hooks.
    const isSettings = isLinterConfiguration(path) || isTestConfiguration(path);
    if (how === "read" && isSettings && !path.includes("node_modules/")) {
      note(path, "settings", "is read by the check's tools");
    }
    if (roles[index] !== "judge") continue;
    if (how === "exec") {
      if (looksLikeCheck(path) || !isBelowScript(observed, index))
        note(path, "command", "is run by the check's command");
    } else if (how === "read") {
      const script = findScript(program);
      if (script === path) note(path, "command", "is run by the check's command");
      else if (isGoBetween(program)) note(path, "settings", "tells the check's command what to run");
      else if (isTestFile(path)) note(path, "tests", "is read by the check's command");
      else if (
        isExpectedData(path) ||
        (script !== null && !isCode(path) && subjects.isJudgedByScript(record, script))
      ) {
        note(path, "data", `is read by ${script ?? "the check's command"}`);
      }
    }
  }
}

/** A linter of one's own, made of the shell's tools, takes its rules from a file such as `.lintrc`. */
function holdsRules({ program }: ObservedProgram, path: string): boolean {
  return /(^|\/)\.\w*lint\w*$/i.test(path) && /(^|\/)(sed|cat|g?awk|mawk|cut|tr|head|tail)$/.test(program);
}

const COMPARERS = /^(diff|cmp|comm)$/;

/** Of two files that are compared, the one that the check did not write is what is expected. */
function addCompared({ observed, wrote }: CheckRecord, note: Note): void {
  for (const [index, { program, arguments: words }] of observed?.programs.entries() ?? []) {
    if (!COMPARERS.test(program.slice(program.lastIndexOf("/") + 1))) continue;
    const read = observed?.paths.flatMap(([by, how, path]) => (by === index && how === "read" ? [path] : [])) ?? [];
    const there = [...new Set(read)].filter((path) => !wrote.includes(path));
    const expected = there.filter(isExpectedData);
    const last = there.find((path) => (words.at(-1) ?? "").endsWith(path));
    const chosen = expected.length > 0 ? expected : there.length === 1 ? there : last === undefined ? [] : [last];
    for (const path of chosen) note(path, "data", "is what the check compares with");
  }
}

function isBelowScript({ programs }: NonNullable<CheckRecord["observed"]>, index: number): boolean {
  for (let at: number | null = index; at !== null; ) {
    const program: (typeof programs)[number] | undefined = programs[at];
    if (!program) return false;
    if (findScript(program) !== null) return true;
    at = program.parent;
  }
  return false;
}

export function isExpectedData(path: string): boolean {
  return isNamedExpected(path) || isTestDirectory(path);
}

/** Whether a file says by its name that it holds what should come out. */
export function isNamedExpected(path: string): boolean {
  return EXPECTED_DATA.test(path);
}
