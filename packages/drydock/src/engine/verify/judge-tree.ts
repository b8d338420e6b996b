import { randomUUID } from "node:crypto";
import {
  type Check,
  type CheckPhase,
  type CheckResult,
  DrydockError,
  type EffectivePolicy,
  type Verification,
} from "@drydock/protocol";
import { createPathRules } from "../../policy/index.ts";
import type { TreeRunner } from "../ports.ts";
import { type CheckFinding, failed } from "./check-finding.ts";
import { describeUnstable, toResult } from "./check-results.ts";
import { describeCheckType } from "./check-types/check-types.ts";
import { judgeImplied } from "./implied/judge-implied.ts";
import { type ChangeGrants, createMayChange, type MayChange } from "./implied/who-may-change.ts";
import { doInOrder } from "./in-order.ts";
import { judgeCheck } from "./judge-check.ts";
import { type JudgeContext, runPythonOn } from "./judge-context.ts";
import type { JudgedTree } from "./judged-tree.ts";
import { type Baseline, openBaseline } from "./proof/baseline.ts";
import { decideVerdict, type VerdictDecision } from "./proof/decide-verdict.ts";
import { startControlsEarly } from "./proof/early/start-controls-early.ts";
import { type EarlyResults, startResultsEarly } from "./proof/early/start-results-early.ts";
import { findIncompleteRun } from "./proof/find-incomplete-run.ts";
import { type GuardFinding, guardInputs } from "./proof/guard-inputs.ts";
import { type ChangeFinding, judgeChange } from "./proof/judge-change.ts";
import { type CommandCheck, isCommandCheck, type RecordStore } from "./proof/records/base-record.ts";
import { createMemoryStore } from "./proof/records/memory-store.ts";
import { accumulateServices } from "./refuse-check.ts";

export interface JudgedTrees {
  tree: JudgedTree;
  /** The tree that the task started from; null: the tree is judged as it stands. */
  before: JudgedTree | null;
  /** What nothing of the run has touched, where earlier tasks have changed `before`. */
  untouched?: JudgedTree;
}

export interface JudgeTreeOptions extends JudgedTrees, Omit<ChangeGrants, "planIsUsers" | "mayChange"> {
  checks: readonly Check[];
  /** What runs already when the check of the same place in the list is made. Default: what the checks before it have started. */
  services?: readonly (readonly string[])[];
  /** Whose commands must not be tampered with: all that judge the result in the end. Default: `checks`. */
  guarded?: readonly Check[];
  /** Default false: a plan's scope names no tests. */
  planIsUsers?: boolean;
  mayChange?: readonly string[];
  policy: EffectivePolicy;
  runner: TreeRunner;
  signal?: AbortSignal;
  /** Each result as soon as it is there, in the order of the list; `round` counts from 0. */
  onCheck?(result: CheckResult, round: number): unknown;
  /** The check that is about to run, or runs already and is waited for. Not called for checks that run nothing. */
  onStart?(check: Check, phase: CheckPhase): unknown;
  /** Looks at the directory below again. Null: it is as it was; else the trees over what it is now. */
  refresh?(): Promise<JudgedTrees | null>;
  /** How often all is judged again where the directory below changes meanwhile. Default 3. */
  maxRepeats?: number;
  /** Checks at once. Default 1. */
  concurrency?: number;
  /** Where records of untouched trees are kept. Default: for this call only. */
  records?: RecordStore;
  /** Milliseconds, for durations. */
  now?(): number;
}

const MAX_REPEATS = 3;

/**
 * Judges a tree by its checks. The verdict is bound to the hash of the exact tree: where the directory below it changes
 * meanwhile, nothing that was found counts, and all checks are made again.
 */
export async function judgeTree(options: JudgeTreeOptions): Promise<Verification> {
  let trees: JudgedTrees = options;
  const { maxRepeats = MAX_REPEATS } = options;
  const store = options.records ?? createMemoryStore();
  for (let round = 0; ; round++) {
    const early = startResultsEarly(options.now);
    const { results, isStable } = await judgeRound(options, trees, { store, early, round }).finally(early.end);
    const renewed = await options.refresh?.();
    const isSame = isStable && !renewed;
    if (isSame || round === maxRepeats) {
      if (!isSame) results.push(await reportResult(options, describeUnstable(trees.tree, round + 1), round));
      return {
        ...decide(options.checks, results, trees),
        treeHash: trees.tree.treeHash,
        baseHash: (trees.before ?? trees.tree).treeHash,
        checks: results,
        repeated: round,
      };
    }
    if (renewed) trees = renewed;
  }
}

/** A directory that is judged as it stands has no change that would need proof. */
function decide(
  checks: readonly Check[],
  results: readonly CheckResult[],
  { tree, before }: JudgedTrees,
): VerdictDecision {
  if (checks.length === 0) return { verdict: "unverified", reason: "There was no check." };
  if (before) return decideVerdict(results, before.treeHash !== tree.treeHash);
  const failing = results.find(({ verdict }) => verdict !== "passed");
  if (failing) return { verdict: "failed", reason: failing.reason };
  return { verdict: "passed", reason: "All checks pass on this tree." };
}

interface RoundParts {
  store: RecordStore;
  early: EarlyResults;
  round: number;
}

async function judgeRound(options: JudgeTreeOptions, trees: JudgedTrees, { store, early, round }: RoundParts) {
  const { checks, policy, runner, signal, now = () => performance.now() } = options;
  const { tree, before } = trees;
  let isStable = true;
  const services = options.services ?? accumulateServices(checks);
  const contextFor = (judged: JudgedTree, index: number): JudgeContext => ({
    tree: judged,
    before,
    policy,
    rules: createPathRules(policy),
    runner,
    signal,
    services: services[index] ?? [],
    pin: [],
    noteChanged: () => {
      isStable = false;
    },
  });

  /** A file that is no longer what the tree says: what was found so far belongs to no tree. */
  const unlessChanged = async <T>(judge: () => Promise<T>, otherwise: (reason: string) => T): Promise<T> => {
    try {
      return await judge();
    } catch (error) {
      if (!(error instanceof DrydockError) || error.code !== "delivery.conflict") throw error;
      isStable = false;
      return otherwise(error.message);
    }
  };
  const judgeSafely = (check: Check, context: JudgeContext) =>
    unlessChanged<CheckFinding>(
      () => judgeCheck(check, context),
      (reason) => failed("unstable", reason),
    );
  const judgeIn = (phase: CheckPhase) => (check: Check, context: JudgeContext) => {
    if (describeCheckType(check).runs) options.onStart?.(check, phase);
    return judgeSafely(check, context);
  };

  const mayChange = createMayChange({ planIsUsers: false, mayChange: [], ...options });
  const guarded = options.guarded ?? checks;
  const openOwnGround = async () =>
    before && before.treeHash !== tree.treeHash
      ? openBaseline({
          tree,
          before,
          untouched: trees.untouched ?? before,
          checks,
          guarded,
          store,
          contextFor: (judged, check) => contextFor(judged, Math.max(0, checks.indexOf(check))),
          judge: judgeSafely,
          onStart: (check) => {
            options.onStart?.(check, "untouched");
            const index = checks.indexOf(check);
            if (index >= 0) early.begin(check, contextFor(tree, index), judgeSafely);
          },
        })
      : null;
  const baseline = await unlessChanged(openOwnGround, () => null);
  early.settle();
  const pin = baseline ? [...baseline.inputs.keys()] : [];

  const judgeCommandAt = async (
    check: CommandCheck,
    context: JudgeContext,
    baseline: Baseline,
  ): Promise<CheckResult> => {
    const since = now();
    options.onStart?.(check, "result");
    const judging = early.take(check, pin).then(async (found) => {
      const finding = found?.finding ?? (await judgeSafely(check, context));
      return { finding, durationMs: found?.durationMs ?? now() - since };
    });
    const salt = randomUUID();
    const shared = { check, baseline, context, mayChange, salt };
    const ahead = startControlsEarly({ ...shared, judge: judgeSafely, runPython: runPythonOn(context) });
    try {
      const { finding, durationMs } = await judging;
      const change = await unlessChanged<ChangeFinding>(
        async () => {
          const cut =
            finding.verdict === "passed" ? findIncompleteRun(await baseline.recordsOf(check), finding.ran) : null;
          if (cut) return { finding: { ...finding, verdict: "failed", ...cut }, proof: {} };
          const { runPython } = ahead;
          return judgeChange(finding, { ...shared, durationMs, judge: ahead.take(judgeIn("control")), runPython });
        },
        (reason) => ({ finding: failed("unstable", reason), proof: {} }),
      );
      return { ...toResult(change.finding, check, tree, durationMs), ...change.proof };
    } finally {
      await ahead.end();
    }
  };

  const judgeAt = async (check: Check, index: number): Promise<CheckResult> => {
    throwIfAborted(signal);
    const since = now();
    const context: JudgeContext = { ...contextFor(tree, index), pin, ...(baseline && { watch: "observe" }) };
    if (baseline && isCommandCheck(check)) return judgeCommandAt(check, context, baseline);
    const finding = await judgeIn("result")(check, context);
    const result = toResult(finding, check, tree, now() - since);
    const { comparesTrees, control: controlOf } = describeCheckType(check);
    // What compares with the tree before holds there by its nature.
    if (finding.verdict !== "passed" || !before || comparesTrees) return result;
    // Nothing was changed: what holds now held before.
    if (!baseline) return { ...result, alsoPassesBefore: true, proves: false };
    const [earlier, control] = await Promise.all([
      judgeSafely(check, contextFor(before, index)),
      controlOf?.(check, context, (each) => judgeSafely(each, context)) ?? null,
    ]);
    const alsoPassesBefore = earlier.verdict === "passed";
    const proof = { alsoPassesBefore, proves: !alsoPassesBefore };
    return { ...result, ...proof, ...(control && !alsoPassesBefore && { control }) };
  };

  const results = await doInOrder(checks, options.concurrency ?? 1, judgeAt, (result) =>
    options.onCheck?.(result, round),
  );
  if (baseline) {
    throwIfAborted(signal);
    const broken = await unlessChanged(
      () => judgeGuards(guarded, baseline, mayChange, contextFor(tree, checks.length)),
      () => [],
    );
    for (const { path, finding } of broken) {
      const check: Check = { type: "unchanged", paths: [path] };
      results.push(await reportResult(options, { ...toResult(finding, check, tree, 0), implied: true }, round));
    }
  }
  return { results, isStable };
}

/** Implied rules: by the names of files, and by what was seen on the untouched tree. Each path once. */
async function judgeGuards(
  checks: readonly Check[],
  baseline: Baseline,
  mayChange: MayChange,
  context: JudgeContext,
): Promise<GuardFinding[]> {
  const { before, changed, allRecords: records, inputs } = baseline;
  const seen = await guardInputs({ changed, records, inputs, before, tree: context.tree, mayChange });
  const known = new Set(seen.map(({ path }) => path));
  const byName = await judgeImplied(checks, mayChange, baseline, context);
  return [...seen, ...byName.filter(({ path }) => !known.has(path))];
}

async function reportResult(options: JudgeTreeOptions, result: CheckResult, round: number): Promise<CheckResult> {
  await options.onCheck?.(result, round);
  return result;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new DrydockError("run.cancelled", "The checks were cancelled.", "Start them again when you want them.");
}
