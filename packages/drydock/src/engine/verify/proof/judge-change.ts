import type { CheckResult } from "@drydock/protocol";
import type { RunPython } from "../../source/run-python.ts";
import type { CheckFinding, CommandRun } from "../check-finding.ts";
import { readCommandFacts } from "../implied/command-words.ts";
import type { MayChange } from "../implied/who-may-change.ts";
import type { JudgeContext } from "../judge-context.ts";
import type { JudgedTree } from "../judged-tree.ts";
import { listBroughtAlong } from "./added/brought-along.ts";
import { findDisplaced } from "./added/displaced.ts";
import { findLostEntry } from "./added/lost-entries.ts";
import { findPreferredData } from "./added/preferred-data.ts";
import { findUnread } from "./added/unread-data.ts";
import type { Baseline } from "./baseline.ts";
import { compareTests, type TestComparison } from "./compare-tests.ts";
import { beginConfirmation, type Confirmation, confirmFailure } from "./confirm-failure.ts";
import { findUncheckedExample } from "./control/doc-examples.ts";
import { findEveryAnswer } from "./control/other-needles.ts";
import { findCopying } from "./copying/find-copying.ts";
import { findHiddenLook, findSeeker } from "./copying/find-seeker.ts";
import { findDoubt, listAddedTests } from "./find-doubt.ts";
import { findUnlisted } from "./find-unlisted.ts";
import { howToAllow, isGuardedChange } from "./guard-inputs.ts";
import type { CheckRecord, CommandCheck } from "./records/base-record.ts";
import { showsFailing } from "./records/second-record.ts";
import { discountBaselineControl, runControl } from "./run-control.ts";
import { attributeToReaders } from "./sides/attribute-to-readers.ts";
import { findTestSide } from "./sides/find-test-side.ts";
import { listReleased } from "./sides/list-released.ts";
import { findBuildProduct } from "./tampering/build-products.ts";
import { findCaught } from "./tampering/find-caught.ts";
import { findRetried } from "./tampering/find-retried.ts";
import { findTampering } from "./tampering/find-tampering.ts";
import { findOwnOperator } from "./tampering/own-operators.ts";
import { findReplacedTool, findToolUser } from "./tampering/replaced-tools.ts";
import { findTestInputs } from "./test-inputs.ts";
import { listTestPrograms } from "./test-programs.ts";
import { findLostExample, findUnspoilt } from "./weak-proof.ts";
import { judgeWithoutProducts } from "./without-products.ts";

export interface ChangeOptions {
  check: CommandCheck;
  baseline: Baseline;
  /** On the judged tree, with the inputs of the checks pinned. */
  context: JudgeContext;
  mayChange: MayChange;
  /** How long the check took on the judged tree. */
  durationMs: number;
  judge: (check: CommandCheck, context: JudgeContext) => Promise<CheckFinding>;
  runPython: RunPython;
  /** Draws the wrong values of a control; nothing that is judged knows it. */
  salt: string;
}

type Proof = Pick<CheckResult, "tests" | "control" | "proves" | "doubt" | "alsoPassesBefore">;

export interface ChangeFinding {
  finding: CheckFinding;
  proof: Proof;
}

interface Judged extends ChangeFinding {
  /** What failed on the untouched tree passed there when it was run again. */
  isByChance?: boolean;
}

interface Shown {
  records: readonly CheckRecord[];
  compared: TestComparison | null;
  confirmation: Confirmation;
}

/** What a command that passes proves of a change: against the untouched trees, test by test, and against a control. */
export async function judgeChange(finding: CheckFinding, options: ChangeOptions): Promise<ChangeFinding> {
  const judged = await judgeOnRecord(finding, options);
  // A failure by chance is on record as none now: what the change adds to the tests may still prove it.
  if (!judged.isByChance || listAddedTests(options).length === 0) return judged;
  const again = await judgeOnRecord(finding, options);
  return again.proof.proves || again.finding.verdict !== "passed" ? again : judged;
}

async function judgeOnRecord(finding: CheckFinding, options: ChangeOptions): Promise<Judged> {
  const { check, baseline } = options;
  const records = await baseline.recordsOf(check, (record) => isWholeFor(record, options.durationMs));
  const compared = compare(records, finding.ran, options);
  const proof: Proof = compared ? { tests: compared.evidence } : {};
  if (finding.verdict !== "passed") return { finding, proof };
  const problem =
    compared?.problem ??
    (await findLostExample(options)) ??
    findChangedInput(finding.ran, records, baseline, options.context.tree);
  if (problem) return { finding: { ...finding, verdict: "failed", ...problem }, proof };
  const second = await baseline.secondOf(check);
  const isConfirmed = showsFailing(second, compared?.newlyPassing ?? []);
  const confirmation = beginConfirmation(options, records, isConfirmed ? second : null);
  try {
    return await judgePassed(finding, options, { records, compared, confirmation });
  } finally {
    await confirmation.end();
  }
}

/** A check that passes, with all tests that there were. */
async function judgePassed(
  finding: CheckFinding,
  options: ChangeOptions,
  { records, compared, confirmation }: Shown,
): Promise<Judged> {
  const proof: Proof = compared ? { tests: compared.evidence } : {};
  const seen = [...records, await toRecord(finding, options)];
  const late = await findLateInput(seen, options);
  if (late) return { finding: { ...finding, verdict: "failed", ...late }, proof };
  const additions = listAddedTests(options);
  const brought = await listBroughtAlong(finding.ran, records, options);
  const old =
    (await judgeWithoutProducts(options, records)) ?? (await judgeOldTests(options, records, additions, brought));
  if (old) return { finding: { ...finding, verdict: "failed", ...old }, proof };
  const passedBefore = records.at(-1)?.passed ?? false;
  const doubt = await findDoubt(options, compared, passedBefore, additions);
  const control = await discountBaselineControl(
    await runControl(options, seen, compared),
    passedBefore,
    options,
    records,
  );
  const copying = await findCopying(finding, { records, compared, control }, options);
  if (copying) return { finding: { ...finding, verdict: "failed", ...copying }, proof };
  const weak = doubt.proves ? await findWeakness(finding.ran, control, options, records, compared) : null;
  if (!doubt.proves || weak !== null) {
    const conclusion = weak === null ? doubt : { proves: false, doubt: weak };
    return { finding, proof: { ...proof, alsoPassesBefore: passedBefore, control, ...conclusion } };
  }
  const confirmed = await confirmFailure(confirmation, compared, options);
  const tests = confirmed.compared && { tests: confirmed.compared.evidence };
  const alsoPassesBefore = passedBefore || confirmed.alsoPassesBefore;
  const isByChance = confirmed.doubt !== null;
  const conclusion = confirmed.doubt === null ? doubt : { proves: false, doubt: confirmed.doubt };
  return { finding, proof: { ...tests, alsoPassesBefore, control, ...conclusion }, isByChance };
}

/** A run that was ended early shows a failure only beside one that took far less time: else both may just be slow. */
function isWholeFor({ report, durationMs }: CheckRecord, judgedMs: number): boolean {
  return !report?.stalled || judgedMs * 2 <= durationMs;
}

/** Why a check that fails without the change and passes with it proves nothing all the same; null: it does prove it. */
async function findWeakness(
  ran: CommandRun | undefined,
  control: Proof["control"],
  options: ChangeOptions,
  records: readonly CheckRecord[],
  compared: TestComparison | null,
): Promise<string | null> {
  const { report = null } = ran ?? {};
  const retried = findRetried(report, compared?.newlyPassing ?? []);
  if (retried !== null) return retried;
  const tampering =
    findDisplaced(ran, records, options) ??
    (await findPreferredData(ran, records, options)) ??
    findUnread(ran, records, options) ??
    (await findLostEntry(options)) ??
    (await findTampering(options, ran?.observed)) ??
    (await findToolUser(report, options.baseline)) ??
    (await findCaught(report, options.baseline)) ??
    findSeeker(report, records, options.baseline) ??
    (await findHiddenLook(report, options.baseline, (path) => options.context.tree.read(path))) ??
    (await findBuildProduct(options)) ??
    (await findUnlisted(ran, options, records, compared)) ??
    (await findUncheckedExample(options)) ??
    (await findEveryAnswer(options)) ??
    (await findOwnOperator(report, options));
  return tampering ?? findReplacedTool(report, records, options.baseline) ?? findUnspoilt(ran, control, options);
}

function compare(records: readonly CheckRecord[], ran: CommandRun | undefined, options: ChangeOptions) {
  const { check, mayChange } = options;
  return compareTests(records, ran?.report ?? null, {
    exempt: (file) => mayChange(file, true),
    mustPass: (check.expect_exit_code ?? 0) === 0,
    existed: (file) => options.baseline.before.lookup(file) !== undefined && !mayChange(file, true),
  });
}

const NOTHING = new Uint8Array();
/** What builds leave; everything else that a check's run rewrites is somebody's source. */
const BUILT = /(^|\/)(dist|build|out|target|coverage|__pycache__|\.[^/]+)\//;
const SOURCE = /\.([cm]?[jt]sx?|py|rb|go|rs|java|c|cc|cpp|h|sh|php|pl|pm)$/;

type Problem = { code: string; reason: string };

/** Where files can't be pinned, a check that changes its own tests is found out afterwards. */
function findChangedInput(
  ran: CommandRun | undefined,
  records: readonly CheckRecord[],
  { inputs }: Baseline,
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
async function toRecord({ verdict, reason, ran }: CheckFinding, options: ChangeOptions): Promise<CheckRecord> {
  const { report = null, observed = null } = ran ?? {};
  const { context, baseline, durationMs } = options;
  const programs = await listTestPrograms(observed, baseline.before);
  const { treeHash } = context.tree;
  return { treeHash, passed: verdict === "passed", reason, report, observed, wrote: [], programs, durationMs };
}

/** Files that the check reads now and did not read before the change: a change to them would not have been noticed. */
async function findLateInput(
  records: readonly CheckRecord[],
  { baseline, context, mayChange, runPython }: ChangeOptions,
): Promise<Problem | null> {
  const { before, changed, untouched } = baseline;
  const inputs = findTestInputs(records);
  const shared = { tree: untouched, judged: context.tree, runPython };
  const open = changed.filter(({ path }) => !baseline.inputs.has(path) && !baseline.released.has(path));
  const released = await listReleased({
    ...shared,
    changed: open,
    records,
    inputs: new Map([...baseline.inputs, ...inputs]),
  });
  for (const path of [...baseline.released, ...released]) inputs.delete(path);
  const known = new Set(baseline.allRecords.flatMap(({ report }) => report?.files.map(({ path }) => path) ?? []));
  const late = await findTestSide({
    ...shared,
    changed: changed.filter(({ path }) => !known.has(path)),
    // That changed source asks for a file excuses nothing: it could do so for that very reason.
    records: attributeToReaders(records, new Set(changed.map(({ path }) => path))),
    inputs: new Map([...baseline.inputs, ...inputs]),
  });
  for (const [path, input] of late) if (!inputs.has(path)) inputs.set(path, input);
  for (const { path, kind } of changed) {
    // What an earlier task of the same run added is no judge of the run.
    const input = baseline.inputs.has(path) || !untouched.lookup(path) ? undefined : inputs.get(path);
    if (!input || !(await isGuardedChange({ path, kind }, input, { before, tree: context.tree, mayChange, records })))
      continue;
    return { code: "input_changed", reason: `${path} was ${kind}, and ${input.why}. ${howToAllow(path)}` };
  }
  return null;
}

/** The tests that there were must pass without the files that were added for them, too: those could do the work of others. */
async function judgeOldTests(
  options: ChangeOptions,
  records: readonly CheckRecord[],
  tests: readonly string[],
  brought: readonly string[],
): Promise<Problem | null> {
  const { check, context, baseline, judge, mayChange } = options;
  const hadTests = records.some(({ report }) => (report?.tests.length ?? 0) + (report?.named.length ?? 0) > 0);
  // Without a report, a new test can't be distinguished from one that replaces others.
  const open = tests.filter((path) => !mayChange(path, true));
  const additions = hadTests ? [...new Set([...open, ...brought])] : brought;
  if (additions.length === 0 || !context.tree.edit) return null;
  const { paths } = await readCommandFacts([check], baseline.before);
  // What the command names must be there; it need not hold anything.
  const edits = additions.map((path) =>
    paths.has(path) ? { path, content: NOTHING } : { path, delete: true as const },
  );
  const tree = await context.tree.edit(edits);
  const { ran, verdict, ...ended } = await judge(check, { ...context, tree });
  const problem = compare(records, ran, options)?.problem ?? (hadTests || verdict === "passed" ? null : ended);
  if (!problem) return null;
  const [kind, named] = open.length > 0 ? ["test files", open] : ["files that decide over the check", brought];
  const reason = `Without the added ${kind} (${named.slice(0, 3).join(", ")}): ${problem.reason}`;
  return { code: problem.code, reason };
}
