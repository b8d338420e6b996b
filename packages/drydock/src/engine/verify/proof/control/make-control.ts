import type { ControlEvidence } from "@drydock/protocol";
import type { Observed } from "../../../../sandbox/index.ts";
import type { Finding } from "../../finding.ts";
import type { JudgeContext } from "../../judge-context.ts";
import type { JudgedTree, TreeEdit } from "../../judged-tree.ts";
import type { CommandCheck } from "../base-record.ts";
import { holdsExpectations } from "../holds-expectations.ts";
import type { TestInput } from "../test-inputs.ts";
import { isBroken } from "./broken-build.ts";
import { describeControl, mergeControls } from "./describe-control.ts";
import { type Expected, findExpected, loadSpoilers, runPythonOn } from "./find-expected.ts";
import { addComment, planTestRounds, planWholeRounds, type Round } from "./plan-rounds.ts";
import { MAX_FILES, readSmall, readTexts } from "./read-files.ts";

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
  /** What the sandbox saw of the check on the judged tree; null where it can't look. */
  observed: Observed | null;
  judge: (check: CommandCheck, context: JudgeContext) => Promise<Finding>;
}

interface Spoilt {
  kind: ControlEvidence["kind"];
  check: CommandCheck;
  edits: TreeEdit[];
  count: number;
}

/**
 * The negative control. The source stays as it is, and what the tests expect is made wrong: an honest check fails then, and
 * with it each test that the change made pass. One that passes all the same was not asked. What holds nothing to spoil is
 * tried with other data, and with functions of the change that return garbage.
 */
export async function makeControl(options: ControlOptions): Promise<ControlEvidence> {
  const expected = await unlessUnreadable(() => findExpected(options), null);
  const tests = expected && (await tryExpectations(expected, options));
  if (tests && (tests.failed === false || tests.isFinal)) return toEvidence(tests);
  let best: ControlEvidence | null = tests && tests.kind !== "none" ? toEvidence(tests) : null;
  for (const spoil of [spoilTestData, spoilSource]) {
    if (!isOpen(best)) break;
    const spoilt = await unlessUnreadable(() => spoil(options), null);
    if (!spoilt) continue;
    best = mergeControls(best, await tryControl(spoilt, options, best?.survivors ?? options.newlyPassing));
  }
  return best ?? (tests && toEvidence(tests)) ?? nothingToSpoil();
}

/** Whether something still passes that should not. */
function isOpen(control: ControlEvidence | null): boolean {
  return control === null || control.failed === false || control.survivors.length > 0;
}

interface Tried extends ControlEvidence {
  /** Nothing else can save it: a test passes with its own expectation made wrong, or the change recognises its tests. */
  isFinal: boolean;
}

function toEvidence({ isFinal: _isFinal, ...evidence }: Tried): ControlEvidence {
  return evidence;
}

async function tryExpectations(expected: Expected, options: ControlOptions): Promise<Tried | null> {
  const { newlyPassing, addedTests, check } = options;
  // A part of the command that passed before says nothing of the part that did not.
  const isByTests = newlyPassing.length > 0 || addedTests.length > 0;
  const { scripts, command } = isByTests ? { scripts: [], command: null } : expected;
  const byPrograms = isByTests ? [] : planWholeRounds(expected.programs);
  if (scripts.length > 0 || command) {
    // A script that compares something says nothing of the test programs that it compiles.
    const byScripts = await tryRounds(planWholeRounds(scripts), command, options);
    if (byPrograms.length === 0 || byScripts?.failed === false) return byScripts;
    const ofPrograms = await tryRounds(byPrograms, null, options);
    return ofPrograms?.failed === false ? ofPrograms : byScripts;
  }
  const canTell = newlyPassing.length > 0 && check.junit === undefined;
  const files = isByTests ? [...expected.tests, ...expected.scripts] : expected.tests;
  if (files.length === 0) return byPrograms.length === 0 ? null : tryRounds(byPrograms, null, options);
  return tryRounds(canTell ? planTestRounds(files, newlyPassing) : planWholeRounds(files), null, options);
}

/** None of the rounds needs to know how another ended: they run side by side. */
async function tryRounds(
  rounds: readonly Round[],
  command: Expected["command"],
  options: ControlOptions,
): Promise<Tried | null> {
  const { newlyPassing, check } = options;
  const { spoilFile } = await loadSpoilers();
  const spoilt = rounds.map(({ files, count }, index): Spoilt => {
    const edits = files.map(({ file, chosen }) => toEdit(addComment(spoilFile(file, chosen))));
    const isCommandToo = command !== null && index === 0;
    return {
      kind: "expectations",
      check: isCommandToo ? { ...check, cmd: command.text } : check,
      edits,
      count: count + (isCommandToo ? command.edits : 0),
    };
  });
  if (spoilt.length === 0 && command) {
    spoilt.push({ kind: "expectations", check: { ...check, cmd: command.text }, edits: [], count: command.edits });
  }
  const tried = await Promise.all(spoilt.map(async (each) => ({ ...each, finding: await judgeSpoilt(each, options) })));
  const count = Math.max(0, ...spoilt.map((each) => each.count));
  const own = newlyPassing.filter((id) =>
    tried.some(({ finding }, index) => rounds[index]?.isSpoilt(id) && passingIn(finding).has(id)),
  );
  if (own.length > 0) return { ...evidenceOf(count, true, own), isFinal: true };
  const isRecognised = await findRecognised(rounds, tried, options);
  if (isRecognised) return isRecognised;
  const isCovered = (id: string) => rounds.some((round) => round.isSpoilt(id));
  const survivors = newlyPassing.filter(
    (id) =>
      !isCovered(id) &&
      tried.every(({ finding }, index) => rounds[index]?.isUntouched(id) || passingIn(finding).has(id)),
  );
  const sound = tried.filter(({ finding, edits }) => !isBroken(finding, edits));
  if (sound.length === 0) return { ...notBuilt(), isFinal: false };
  const failing = sound.filter(({ finding }) => finding.verdict !== "passed");
  const failed = newlyPassing.length > 0 ? failing.length > 0 : failing.length === sound.length;
  return { ...evidenceOf(count, failed, survivors), isFinal: false };
}

function evidenceOf(edits: number, failed: boolean, survivors: string[]): ControlEvidence {
  const reason = describeControl("expectations", edits, failed, survivors);
  return { kind: "expectations", edits, failed, survivors, reason };
}

type TriedRound = Spoilt & { finding: Finding };

/** A test that does not pass with nothing but comments added to its file: the change recognises its tests. */
async function findRecognised(
  rounds: readonly Round[],
  tried: readonly TriedRound[],
  options: ControlOptions,
): Promise<Tried | null> {
  const { newlyPassing, check } = options;
  if (newlyPassing.length === 0 || check.junit !== undefined) return null;
  const isSeen = (id: string) =>
    tried.some(({ finding }, index) => rounds[index]?.isUntouched(id) && passingIn(finding).has(id));
  if (newlyPassing.every(isSeen)) return null;
  // Others may have failed it, by what they share: with nothing made wrong at all, it must pass.
  const files = rounds[0]?.files ?? [];
  const { spoilFile } = await loadSpoilers();
  const edits = files.map(({ file }) => toEdit(addComment(spoilFile(file, []))));
  const finding = await judgeSpoilt({ kind: "expectations", check, edits, count: edits.length }, options);
  const passing = passingIn(finding);
  const lost = newlyPassing.filter((id) => !passing.has(id));
  if (lost.length === 0) return null;
  const more = lost.length > 1 ? ` and ${lost.length - 1} more` : "";
  const reason = `With a comment added to the test files, ${lost[0]}${more} does not pass any more: the change recognises its tests.`;
  return { kind: "expectations", edits: edits.length, failed: false, survivors: lost, reason, isFinal: true };
}

/** Files that can't be read as what they are named have nothing to spoil. */
async function unlessUnreadable<Value>(spoil: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await spoil();
  } catch (error) {
    if (error instanceof SyntaxError) return otherwise;
    throw error;
  }
}

function nothingToSpoil(): ControlEvidence {
  const reason = "No control was made: nothing that the check expects could be found in its files.";
  return { kind: "none", edits: 0, failed: null, survivors: [], reason };
}

/** A check that could not even be built has not found out that what it expects is wrong. */
function notBuilt(): ControlEvidence {
  const reason = "No control was made: the check could not be built with what it expects made wrong.";
  return { kind: "none", edits: 0, failed: null, survivors: [], reason };
}

async function tryControl(
  spoilt: Spoilt,
  options: ControlOptions,
  suspects: readonly string[],
): Promise<ControlEvidence> {
  const { kind, count } = spoilt;
  const finding = await judgeSpoilt(spoilt, options);
  const failed = finding.verdict !== "passed";
  const passing = passingIn(finding);
  const survivors = suspects.filter((id) => passing.has(id));
  return { kind, edits: count, failed, survivors, reason: describeControl(kind, count, failed, survivors) };
}

async function judgeSpoilt({ check, edits }: Spoilt, { context, judge }: ControlOptions): Promise<Finding> {
  return judge(check, { ...context, tree: edits.length === 0 ? context.tree : await derive(context.tree, edits) });
}

function passingIn({ ran }: Finding): Set<string> {
  return new Set(ran?.report?.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id) ?? []);
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
  return edits.length === 0 ? null : { kind: "data", check, edits, count: edits.length };
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
  return { kind: "exports", check, edits: spoilt.map(toEdit), count };
}

function toEdit({ path, content }: { path: string; content: string }): TreeEdit {
  return { path, content: Buffer.from(content) };
}

function derive(tree: JudgedTree, edits: readonly TreeEdit[]): Promise<JudgedTree> {
  if (!tree.edit) throw new Error("this tree can't be changed for a control");
  return tree.edit(edits);
}
