import type { ControlEvidence } from "@drydock/protocol";
import type { TestFile } from "../../mutate/index.ts";
import type { Finding } from "../finding.ts";
import { type JudgeContext, runOnTree } from "../judge-context.ts";
import type { JudgedTree, TreeEdit } from "../judged-tree.ts";
import type { CommandCheck } from "./base-record.ts";
import { holdsExpectations } from "./holds-expectations.ts";
import { spoilCommand } from "./spoil-command.ts";
import type { TestInput } from "./test-inputs.ts";

export interface ControlOptions {
  check: CommandCheck;
  context: JudgeContext;
  /** Of the judged tree, in the state of the untouched one where nobody was allowed to change it. */
  inputs: ReadonlyMap<string, TestInput>;
  /** Test files that the judged work added. */
  addedTests: readonly string[];
  /** Source that the judged work added or changed. */
  changedSource: readonly string[];
  newlyPassing: readonly string[];
  /** Whether a test runner reported tests. */
  hasTests: boolean;
  judge: (check: CommandCheck, context: JudgeContext) => Promise<Finding>;
}

const MAX_FILES = 200;
const MAX_FILE_BYTES = 512 * 1024;
const SPOIL_SECONDS = 30;

/** Parsers are loaded by those who spoil. */
const loadSpoilers = () => import("../../mutate/index.ts");

interface Spoilt {
  kind: ControlEvidence["kind"];
  check: CommandCheck;
  edits: TreeEdit[];
  count: number;
  /** The names of the tests that were changed, where only some expectations were. */
  tests: string[];
}

/**
 * The negative control. The source stays as it is, and what the tests expect is made wrong: an honest check fails then, and
 * with it each test that the change made pass. One that passes all the same was not asked. A change that recognises
 * the control by its test files is found by an edit of them that means nothing. Tests that hold nothing to spoil are tried
 * with functions of the change that return garbage.
 */
export async function makeControl(options: ControlOptions): Promise<ControlEvidence> {
  const { newlyPassing } = options;
  const [spoilt, last, source] = await Promise.all([
    unlessUnreadable(() => spoilTests(options, "all")),
    unlessUnreadable(() => spoilTests(options, "last")),
    unlessUnreadable(() => spoilSource(options)),
  ]);
  // One expectation that is right must not vouch for another: where there are several, the last ones are tried alone.
  const isAnother = last !== null && last.count < (spoilt?.count ?? 0);
  // None of them needs to know how another ended: they run side by side.
  const [tests, alone, recognised, garbage] = await Promise.all([
    spoilt && tryControl(spoilt, options, newlyPassing),
    isAnother
      ? tryControl(
          last,
          options,
          newlyPassing.filter((id) => isOneOf(id, last.tests)),
        )
      : null,
    spoilt && newlyPassing.length > 0 ? tryHarmlessEdit(spoilt, options) : null,
    source && (newlyPassing.length > 0 || !spoilt) ? tryControl(source, options, newlyPassing) : null,
  ]);
  if (tests?.failed === false) return tests;
  if (recognised) return recognised;
  if (alone && (alone.failed === false || alone.survivors.length > 0)) return alone;
  // A test that passes with its own expectation made wrong is not saved by what other controls show.
  const own = tests?.survivors.filter((id) => isOneOf(id, spoilt?.tests ?? [])) ?? [];
  if (tests && own.length > 0) return { ...tests, survivors: own };
  let best: ControlEvidence | null = tests;
  if (isOpen(best)) best = await tryNext(best, await unlessUnreadable(() => spoilTestData(options)), options);
  if (garbage && isOpen(best)) best = mergeControls(best, garbage);
  return best ?? nothingToSpoil();
}

/** Whether something still passes that should not. */
function isOpen(control: ControlEvidence | null): boolean {
  return control === null || control.failed === false || control.survivors.length > 0;
}

async function tryNext(
  before: ControlEvidence | null,
  spoilt: Spoilt | null,
  options: ControlOptions,
): Promise<ControlEvidence | null> {
  if (!spoilt) return before;
  return mergeControls(before, await tryControl(spoilt, options, before?.survivors ?? options.newlyPassing));
}

/** What survives is what survived all of them. */
function mergeControls(before: ControlEvidence | null, after: ControlEvidence): ControlEvidence {
  if (!before) return after;
  const survivors = before.survivors.filter((id) => after.survivors.includes(id));
  const reason = survivors.length === 0 && after.failed ? after.reason : before.reason;
  return { ...before, edits: before.edits + after.edits, failed: before.failed || after.failed, survivors, reason };
}

/** A comment at the end of each test file changes nothing for whoever only wants to pass the tests. */
async function tryHarmlessEdit(
  { edits }: Spoilt,
  { check, context, judge, newlyPassing }: ControlOptions,
): Promise<ControlEvidence | null> {
  const harmless: TreeEdit[] = [];
  for (const { path } of edits) {
    const mark = /\.py$/.test(path) ? "#" : /\.[cm]?[jt]sx?$/.test(path) ? "//" : null;
    const content = mark === null ? null : await context.tree.read(path);
    if (!content) continue;
    const comment = `\n${mark} ${HARMLESS_WORDS.slice(0, 1 + (content.length % HARMLESS_WORDS.length)).join(" ")}\n`;
    harmless.push({ path, content: Buffer.concat([content, Buffer.from(comment)]) });
  }
  if (harmless.length === 0 || check.junit !== undefined) return null;
  const finding = await judge(check, { ...context, tree: await derive(context.tree, harmless) });
  const passing = passingIn(finding);
  const lost = newlyPassing.filter((id) => !passing.has(id));
  if (lost.length === 0) return null;
  const more = lost.length > 1 ? ` and ${lost.length - 1} more` : "";
  const reason = `With a comment added to the test files, ${lost[0]}${more} does not pass any more: the change recognises its tests.`;
  return { kind: "expectations", edits: harmless.length, failed: false, survivors: lost, reason };
}

const HARMLESS_WORDS = ["see", "also", "the", "notes", "on", "the", "cases", "above"];

/** Files that can't be read as what they are named have nothing to spoil. */
async function unlessUnreadable(spoil: () => Promise<Spoilt | null>): Promise<Spoilt | null> {
  try {
    return await spoil();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function nothingToSpoil(): ControlEvidence {
  const reason = "No control was made: nothing that the check expects could be found in its files.";
  return { kind: "none", edits: 0, failed: null, survivors: [], reason };
}

async function tryControl(
  { kind, check, edits, count }: Spoilt,
  { context, judge }: ControlOptions,
  suspects: readonly string[],
): Promise<ControlEvidence> {
  const tree = edits.length === 0 ? context.tree : await derive(context.tree, edits);
  const finding = await judge(check, { ...context, tree });
  const failed = finding.verdict !== "passed";
  const passing = passingIn(finding);
  const survivors = suspects.filter((id) => passing.has(id));
  return { kind, edits: count, failed, survivors, reason: describe(kind, count, failed, survivors) };
}

function passingIn({ ran }: Finding): Set<string> {
  return new Set(ran?.report?.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id) ?? []);
}

const SPOILT_WORDS: Record<ControlEvidence["kind"], [one: string, many: string]> = {
  expectations: ["expectation of the tests made wrong", "expectations of the tests made wrong"],
  data: ["file that the tests compare with made wrong", "files that the tests compare with made wrong"],
  exports: ["function of the source made to return garbage", "functions of the source made to return garbage"],
  none: ["place", "places"],
};

function describe(kind: ControlEvidence["kind"], count: number, failed: boolean, survivors: readonly string[]): string {
  const [one, many] = SPOILT_WORDS[kind];
  const how = `With ${count === 1 ? `one ${one}` : `${count} ${many}`}`;
  if (!failed) return `${how}, the check still passes: it does not depend on what it should.`;
  if (survivors.length === 0) return `${how}, the check failed, as it should.`;
  const more = survivors.length > 1 ? ` and ${survivors.length - 1} more` : "";
  return `${how}, ${survivors[0]}${more} still passes.`;
}

/** Whether a test's id ends with one of these names: `file::Class.name[1]`, `file > suite > name`. */
function isOneOf(id: string, names: readonly string[]): boolean {
  const plain = id.replace(/\[[^\]]*\]$/, "").replace(/#\d+$/, "");
  return names.some((name) => [`::${name}`, `.${name}`, ` > ${name}`].some((end) => plain.endsWith(end)));
}

async function spoilTests(options: ControlOptions, pick: "all" | "last"): Promise<Spoilt | null> {
  const { context, inputs, addedTests } = options;
  const isRead = (path: string, { kind }: TestInput) =>
    kind === "tests" || kind === "command" || path.endsWith(".snap");
  const paths = [...inputs].filter(([path, input]) => isRead(path, input)).map(([path]) => path);
  const files = await readTexts(context.tree, [...paths, ...addedTests]);
  const run = runPythonOn(context);
  const { spoilExpectations } = await loadSpoilers();
  const spoilt = await spoilExpectations(files, run, pick);
  const command = pick === "all" ? await spoilCommand(options.check.cmd, run) : null;
  if (spoilt.length === 0 && !command) return null;
  return {
    kind: "expectations",
    check: command ? { ...options.check, cmd: command.text } : options.check,
    edits: spoilt.map(toEdit),
    count: spoilt.reduce((sum, { edits }) => sum + edits, command?.edits ?? 0),
    tests: spoilt.flatMap(({ tests = [] }) => tests),
  };
}

async function spoilTestData({ check, context, inputs }: ControlOptions): Promise<Spoilt | null> {
  const { spoilData } = await loadSpoilers();
  const edits: TreeEdit[] = [];
  for (const [path, { kind }] of inputs) {
    if (kind !== "data" || edits.length >= MAX_FILES) continue;
    const content = await readSmall(context.tree, path);
    const spoilt = content && spoilData(path, content);
    if (spoilt) edits.push({ path, content: spoilt });
  }
  return edits.length === 0 ? null : { kind: "data", check, edits, count: edits.length, tests: [] };
}

/** Whether the command or a script that it runs compares something, in a way that can be read. */
async function expectsSomething({ check, context, inputs, hasTests }: ControlOptions): Promise<boolean> {
  if (hasTests) return false;
  const scripts = [...inputs].filter(([, { kind }]) => kind === "command").map(([path]) => path);
  const texts = await readTexts(context.tree, scripts);
  return [{ path: "", text: check.cmd }, ...texts].some(({ path, text }) => holdsExpectations(path, text));
}

/** Only where a test runner reports: what a linter or a compiler says does not depend on what functions return. */
async function spoilSource(options: ControlOptions): Promise<Spoilt | null> {
  const { check, context, changedSource, newlyPassing } = options;
  if (newlyPassing.length === 0 && !(await expectsSomething(options))) return null;
  const { spoilExports } = await loadSpoilers();
  const spoilt = await spoilExports(await readTexts(context.tree, changedSource), runPythonOn(context));
  if (spoilt.length === 0) return null;
  const count = spoilt.reduce((sum, { edits }) => sum + edits, 0);
  return { kind: "exports", check, edits: spoilt.map(toEdit), count, tests: [] };
}

function toEdit({ path, content }: { path: string; content: string }): TreeEdit {
  return { path, content: Buffer.from(content) };
}

function derive(tree: JudgedTree, edits: readonly TreeEdit[]): Promise<JudgedTree> {
  if (!tree.edit) throw new Error("this tree can't be changed for a control");
  return tree.edit(edits);
}

function runPythonOn(context: JudgeContext) {
  return async (program: string, input: string): Promise<string> => {
    const run = { command: ["python3", "-I", "-c", program], stdin: input, timeoutSeconds: SPOIL_SECONDS, network: [] };
    return (await runOnTree({ ...context, pin: [] }, run)).stdout;
  };
}

async function readTexts(tree: JudgedTree, paths: readonly string[]): Promise<TestFile[]> {
  const files: TestFile[] = [];
  for (const path of new Set(paths)) {
    if (files.length >= MAX_FILES) break;
    const content = await readSmall(tree, path);
    if (content) files.push({ path, text: content.toString() });
  }
  return files;
}

async function readSmall(tree: JudgedTree, path: string): Promise<Buffer | null> {
  const entry = tree.lookup(path);
  if (entry?.type !== "file" || (entry.size ?? 0) > MAX_FILE_BYTES) return null;
  return tree.read(path);
}
