import type { ControlEvidence } from "@drydock/protocol";
import type { TreeEdit } from "../../judged-tree.ts";
import { holdsExpectations } from "../holds-expectations.ts";
import { findStarters } from "../program-roles.ts";
import { mergeControls } from "./describe-control.ts";
import { type Expected, findExpected } from "./find-expected.ts";
import { findGolden } from "./golden-data.ts";
import { planTestRounds, planWholeRounds } from "./plan-rounds.ts";
import { MAX_FILES, readSmall, readTexts } from "./read-files.ts";
import { breakLoading, findSmokeTests } from "./smoke-tests.ts";
import { type ControlOptions, type ControlTree, loadSpoilers, noControl, toEdit, tryControl } from "./try-control.ts";
import { type TriedControl, toEvidence, tryRounds } from "./try-rounds.ts";

/** Names of files that hold what should come out. */
const OUTPUT =
  /(\.(out|ans|exp|expected|golden|want|snap|approved)\b|(^|[^a-z])(expect|golden|want|output|answer|approved|snap))/i;

/**
 * The negative control. The source stays as it is, and the expectations of the tests are made wrong. An honest check
 * then fails, and so does each test that the change made pass. A test that still passes did not check anything. Tests
 * without expectations are tried with other data, and with functions of the change that return garbage.
 */
export async function makeControl(options: ControlOptions): Promise<ControlEvidence> {
  const expected = await findExpected(options);
  const [tests, golden] = await Promise.all([tryExpectations(expected, options), tryGolden(expected, options)]);
  if (tests && (tests.failed === false || tests.isFinal)) return toEvidence(tests);
  if (golden && golden.survivors.length > 0) return golden;
  let best: ControlEvidence | null = tests && tests.kind !== "none" ? toEvidence(tests) : null;
  for (const spoil of [spoilTestData, spoilSource]) {
    if (!isOpen(best)) break;
    const spoilt = await spoil(options);
    if (!spoilt) continue;
    best = mergeControls(best, await tryControl(spoilt, options, best?.survivors ?? options.newlyPassing));
  }
  const nothing = noControl("No control was made: nothing that the check expects could be found in its files.");
  const none = tests?.kind === "none" ? toEvidence(tests) : nothing;
  const open = best ?? { ...none, survivors: [...options.newlyPassing] };
  if (open.survivors.length > 0) best = (await trySmoke(open, options)) ?? best;
  return best ?? none;
}

/** Tests that only check that nothing is raised are tried with source that can't be loaded. */
async function trySmoke(before: ControlEvidence, options: ControlOptions): Promise<ControlEvidence | null> {
  const { check, context, inputs, changedSource } = options;
  const paths = [...inputs].flatMap(([path, { kind }]) => (kind === "tests" ? [path] : []));
  const smoke = findSmokeTests(await readTexts(context.tree, paths), before.survivors);
  const broken = (await readTexts(context.tree, changedSource)).flatMap((file) => breakLoading(file) ?? []);
  if (smoke.length === 0 || broken.length === 0) return null;
  const edits = broken.map(({ path, text }) => ({ path, content: Buffer.from(text) }));
  const after = await tryControl({ kind: "exports", check, edits, count: edits.length }, options, smoke);
  const survivors = before.survivors.filter((id) => !smoke.includes(id) || after.survivors.includes(id));
  if (survivors.length > 0 || !after.failed) return null;
  const reason = "With source that can't be loaded, the tests that only load or call it failed, as they should.";
  return { ...before, kind: "exports", edits: before.edits + edits.length, failed: true, survivors, reason };
}

/** Whether something still passes that should not. */
function isOpen(control: ControlEvidence | null): boolean {
  return control === null || control.failed === false || control.survivors.length > 0;
}

async function tryExpectations(expected: Expected, options: ControlOptions): Promise<TriedControl | null> {
  const { newlyPassing, addedTests, hasTests, check, isSlow } = options;
  // A part of the command that passed before says nothing of the part that did not.
  const isByTests = newlyPassing.length > 0 || addedTests.length > 0;
  const { scripts, command } = isByTests ? { scripts: [], command: null } : expected;
  const byPrograms = isByTests ? [] : planWholeRounds(expected.programs, { alone: true, isSlow });
  if (scripts.length > 0 || command) {
    // A script that compares something says nothing of the test programs that it compiles.
    const starters = findStarters(options.observed, new Set(scripts.map(({ path }) => path)));
    const byScripts = await tryRounds(planWholeRounds(scripts, { alone: true, isSlow, starters }), command, options);
    if (byPrograms.length === 0 || byScripts?.failed === false) return byScripts;
    const ofPrograms = await tryRounds(byPrograms, null, options);
    return ofPrograms?.failed === false ? ofPrograms : byScripts;
  }
  const canTell = newlyPassing.length > 0 && check.junit === undefined;
  const files = isByTests ? [...expected.tests, ...expected.scripts] : expected.tests;
  if (files.length === 0) return byPrograms.length === 0 ? null : tryRounds(byPrograms, null, options);
  return tryRounds(
    canTell ? planTestRounds(files, newlyPassing, isSlow) : planWholeRounds(files, { alone: !hasTests, isSlow }),
    null,
    options,
  );
}

/** A result that follows the file that it is compared with is no result. */
async function tryGolden({ tests }: Expected, options: ControlOptions): Promise<ControlEvidence | null> {
  const data = [...options.inputs].flatMap(([path, { kind }]) => (kind === "data" ? [path] : []));
  const { paths, suspects } = findGolden(tests, options.newlyPassing, data);
  const spoilt = paths.length === 0 ? null : await spoilFiles(paths, options);
  return spoilt && tryControl(spoilt, options, suspects);
}

async function spoilTestData(options: ControlOptions): Promise<ControlTree | null> {
  const data = [...options.inputs].flatMap(([path, { kind }]) => (kind === "data" ? [path] : []));
  // A wrong input and a wrong output may well fit together.
  const outputs = data.filter((path) => OUTPUT.test(path));
  return spoilFiles(outputs.length > 0 ? outputs : data, options);
}

async function spoilFiles(paths: readonly string[], { check, context }: ControlOptions): Promise<ControlTree | null> {
  const { spoilData } = await loadSpoilers();
  const edits: TreeEdit[] = [];
  for (const path of paths.slice(0, MAX_FILES)) {
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
async function spoilSource(options: ControlOptions): Promise<ControlTree | null> {
  const { check, context, changedSource, newlyPassing, runPython } = options;
  if (newlyPassing.length === 0 && !(await expectsSomething(options))) return null;
  const { spoilExports } = await loadSpoilers();
  const spoilt = await spoilExports(await readTexts(context.tree, changedSource), runPython);
  if (spoilt.length === 0) return null;
  const count = spoilt.reduce((sum, { edits }) => sum + edits, 0);
  return { kind: "exports", check, edits: spoilt.map(toEdit), count };
}
