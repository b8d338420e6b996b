import type { CheckResult } from "@drydock/protocol";
import type { CommandRun, Finding } from "../finding.ts";
import { readCommandFacts } from "../implied/command-words.ts";
import { isTestFile } from "../implied/test-files.ts";
import type { IsNamed } from "../implied/who-may-change.ts";
import { type JudgeContext, runPythonOn } from "../judge-context.ts";
import type { JudgedTree } from "../judged-tree.ts";
import { compareTests, type TestComparison } from "./compare-tests.ts";
import { makeControl } from "./control/make-control.ts";
import { findCopying } from "./copying/find-copying.ts";
import { findDoubt, isTestsAlone, listAddedTests } from "./find-doubt.ts";
import type { Ground } from "./ground.ts";
import { howToAllow, isGuardedChange } from "./guard-inputs.ts";
import { findMeddling } from "./meddling/find-meddling.ts";
import { findReplacedTool, findToolUser } from "./meddling/replaced-tools.ts";
import type { CheckRecord, CommandCheck } from "./records/base-record.ts";
import { findTestSide } from "./sides/find-test-side.ts";
import { listReleased } from "./sides/list-released.ts";
import { passOnAsking } from "./sides/pass-on-asking.ts";
import { findTestInputs } from "./test-inputs.ts";
import { listTestPrograms } from "./test-programs.ts";
import { findLostExample, findUnspoilt } from "./weak-proof.ts";
import { judgeWithoutProducts } from "./without-products.ts";

export interface ChangeOptions {
  check: CommandCheck;
  ground: Ground;
  /** On the judged tree, with the inputs of the checks pinned. */
  context: JudgeContext;
  isNamed: IsNamed;
  /** How long the check took on the judged tree. */
  durationMs: number;
  judge: (check: CommandCheck, context: JudgeContext) => Promise<Finding>;
}

const SLOW_MS = 5000;

type Proof = Pick<CheckResult, "tests" | "control" | "proves" | "doubt" | "alsoPassesBefore">;

export interface ChangeFinding {
  finding: Finding;
  proof: Proof;
}

/** What a command that passes proves of a change: against the untouched trees, test by test, and against a control. */
export async function judgeChange(finding: Finding, options: ChangeOptions): Promise<ChangeFinding> {
  const { check, ground } = options;
  const records = await ground.recordsOf(check);
  const compared = compare(records, finding.ran, options);
  const proof: Proof = compared ? { tests: compared.evidence } : {};
  if (finding.verdict !== "passed") return { finding, proof };
  const problem =
    compared?.problem ??
    (await findLostExample(options)) ??
    findTampering(finding.ran, records, ground, options.context.tree);
  if (problem) return { finding: { ...finding, verdict: "failed", ...problem }, proof };
  const seen = [...records, await toRecord(finding, options)];
  const late = await findLateInput(seen, options);
  if (late) return { finding: { ...finding, verdict: "failed", ...late }, proof };
  const additions = listAddedTests(options);
  const old = (await judgeWithoutProducts(options, records)) ?? (await judgeOldTests(options, records, additions));
  if (old) return { finding: { ...finding, verdict: "failed", ...old }, proof };
  const passedBefore = records.at(-1)?.passed ?? false;
  const doubt = await findDoubt(options, compared, passedBefore, additions);
  const control = await excuse(await runControl(options, seen, compared, additions), passedBefore, options, records);
  const copying = await findCopying(finding, { records, compared, control }, options);
  if (copying) return { finding: { ...finding, verdict: "failed", ...copying }, proof };
  const weak = doubt.proves ? await findWeakness(finding.ran, control, options, records) : null;
  const told = weak === null ? doubt : { proves: false, doubt: weak };
  return { finding, proof: { ...proof, alsoPassesBefore: passedBefore, control, ...told } };
}

/** Why a check that fails without the change and passes with it proves nothing all the same; null: it does prove it. */
async function findWeakness(
  ran: CommandRun | undefined,
  control: Proof["control"],
  options: ChangeOptions,
  records: readonly CheckRecord[],
): Promise<string | null> {
  const { report = null } = ran ?? {};
  const meddling = (await findMeddling(options, ran?.observed)) ?? (await findToolUser(report, options.ground));
  return meddling ?? findReplacedTool(report, records, options.ground) ?? findUnspoilt(ran, control, options);
}

function compare(records: readonly CheckRecord[], ran: CommandRun | undefined, options: ChangeOptions) {
  const { check, isNamed } = options;
  return compareTests(records, ran?.report ?? null, {
    exempt: (file) => isNamed(file, true),
    mustPass: (check.expect_exit_code ?? 0) === 0,
    existed: (file) => options.ground.before.lookup(file) !== undefined && !isNamed(file, true),
  });
}

const NOTHING = new Uint8Array();
/** What builds leave; everything else that a check's run rewrites is somebody's source. */
const BUILT = /(^|\/)(dist|build|out|target|coverage|__pycache__|\.[^/]+)\//;
const SOURCE = /\.([cm]?[jt]sx?|py|rb|go|rs|java|c|cc|cpp|h|sh|php|pl|pm)$/;

type Problem = { code: string; reason: string };

/** Where files can't be pinned, a check that changes its own tests is found out afterwards. */
function findTampering(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  { inputs }: Ground,
  tree: JudgedTree,
): Problem | null {
  const path = ran?.wrote.find((each) => inputs.has(each));
  if (path !== undefined) {
    return { code: "input_changed", reason: `The check's own run changed ${path}, which ${inputs.get(path)?.why}.` };
  }
  const usual = new Set(records.flatMap(({ wrote }) => wrote));
  const source = ran?.wrote.find(
    (each) => tree.lookup(each)?.type === "file" && SOURCE.test(each) && !BUILT.test(each) && !usual.has(each),
  );
  if (source === undefined) return null;
  const reason = `The check's own run rewrote ${source}: what was judged is not what would be delivered.`;
  return { code: "source_rewritten", reason };
}

/** What the judged run itself writes excuses nothing: it may put back what the change took away. Nor does what it put into a file. */
async function toRecord({ verdict, reason, ran }: Finding, { context, ground }: ChangeOptions): Promise<CheckRecord> {
  const { report = null, observed = null } = ran ?? {};
  const programs = await listTestPrograms(observed, ground.before);
  const { treeHash } = context.tree;
  return { treeHash, passed: verdict === "passed", reason, report, observed, wrote: [], programs };
}

/** What the check did not get to read before the change, and reads now: had it been changed, nobody would have seen it. */
async function findLateInput(
  records: readonly CheckRecord[],
  { ground, context, isNamed }: ChangeOptions,
): Promise<Problem | null> {
  const { before, changed, untouched } = ground;
  const inputs = findTestInputs(records);
  const shared = { tree: untouched, judged: context.tree, runPython: runPythonOn(context) };
  const open = changed.filter(({ path }) => !ground.inputs.has(path) && !ground.released.has(path));
  const released = await listReleased({
    ...shared,
    changed: open,
    records,
    inputs: new Map([...ground.inputs, ...inputs]),
  });
  for (const path of [...ground.released, ...released]) inputs.delete(path);
  const known = new Set(ground.allRecords.flatMap(({ report }) => report?.files.map(({ path }) => path) ?? []));
  const late = await findTestSide({
    ...shared,
    changed: changed.filter(({ path }) => !known.has(path)),
    // That changed source asks for a file excuses nothing: it could do so for that very reason.
    records: passOnAsking(records, new Set(changed.map(({ path }) => path))),
    inputs: new Map([...ground.inputs, ...inputs]),
  });
  for (const [path, input] of late) if (!inputs.has(path)) inputs.set(path, input);
  for (const { path, kind } of changed) {
    // What an earlier task of the same run added is no judge of the run.
    const input = ground.inputs.has(path) || !untouched.lookup(path) ? undefined : inputs.get(path);
    if (!input || !(await isGuardedChange({ path, kind }, input, { before, tree: context.tree, isNamed, records })))
      continue;
    return { code: "input_changed", reason: `${path} was ${kind}, and ${input.why}. ${howToAllow(path)}` };
  }
  return null;
}

/** The tests that there were must pass without the test files that were added, too: those could do the work of others. */
async function judgeOldTests(
  options: ChangeOptions,
  records: readonly CheckRecord[],
  additions: readonly string[],
): Promise<Problem | null> {
  const { check, context, ground, judge } = options;
  const hadTests = records.some(({ report }) => (report?.tests.length ?? 0) + (report?.named.length ?? 0) > 0);
  const { paths } = await readCommandFacts([check], ground.before);
  if (!hadTests || additions.length === 0 || !context.tree.edit) return null;
  // What the command names must be there; it need not hold anything.
  const edits = additions.map((path) =>
    paths.has(path) ? { path, content: NOTHING } : { path, delete: true as const },
  );
  const tree = await context.tree.edit(edits);
  const { ran } = await judge(check, { ...context, tree });
  const compared = compare(records, ran, options);
  if (!compared?.problem) return null;
  return {
    code: compared.problem.code,
    reason: `Without the added test files (${additions.slice(0, 3).join(", ")}): ${compared.problem.reason}`,
  };
}

/** A check that passes whatever it should expect, on the untouched tree as well: the change has no part in that. */
async function excuse(
  control: Proof["control"],
  passedBefore: boolean,
  options: ChangeOptions,
  records: readonly CheckRecord[],
): Promise<Proof["control"]> {
  const { context, ground } = options;
  if (control?.failed !== false || !passedBefore || !ground.before.edit) return control;
  const untouched = { ...options, context: { ...context, tree: ground.before } };
  const before = await runControl(untouched, records, null, []);
  if (before?.failed !== false) return control;
  const reason = `${control.reason} It does so on the untouched tree as well, and proves nothing there either.`;
  return { ...control, kind: "none", failed: null, survivors: [], reason };
}

/** Only what this very check reads is spoiled: a check of something else has no reason to fail then. */
async function runControl(
  options: ChangeOptions,
  records: readonly CheckRecord[],
  compared: TestComparison | null,
  additions: readonly string[],
): Promise<Proof["control"]> {
  const { check, context, ground, judge } = options;
  if (!context.tree.edit) return undefined;
  // What the work reads by now as well is still what the tests compare with.
  const untouched = await ground.recordsOf(check);
  const { newlyPassing = [] } = compared ?? {};
  // Tests that are all there is must each expect something, or they raise coverage and nothing else.
  const isByAdded = newlyPassing.length === 0 && !untouched.at(-1)?.passed && isTestsAlone(ground, additions);
  const isInput = (path: string) => ground.inputs.has(path) || isTestFile(path);
  const added = new Set(ground.changed.flatMap(({ path, kind }) => (kind === "added" ? [path] : [])));
  return makeControl({
    check,
    context,
    judge,
    // What the change added could tell it that a control is under way.
    inputs: new Map(
      [...findTestInputs(untouched), ...findTestInputs(records), ...ground.testSide].filter(
        ([path]) => !added.has(path) && !ground.released.has(path),
      ),
    ),
    addedTests: compared && newlyPassing.length === 0 ? additions : [],
    changedSource: ground.changed
      .filter(({ path, kind }) => kind !== "deleted" && !isInput(path))
      .map(({ path }) => path),
    newlyPassing: isByAdded ? (compared?.added ?? []) : newlyPassing,
    hasTests: compared !== null,
    isSlow: options.durationMs > SLOW_MS,
    observed: records.at(-1)?.observed ?? null,
  });
}
