import { type Check, type CheckResult, DrydockError, type EffectivePolicy, type Verification } from "@drydock/protocol";
import { createPathRules } from "../../policy/index.ts";
import type { TreeRunner } from "../ports.ts";
import { type Finding, failed } from "./finding.ts";
import { judgeImplied } from "./implied/judge-implied.ts";
import { doInOrder } from "./in-order.ts";
import { judgeCheck } from "./judge-check.ts";
import type { JudgeContext } from "./judge-context.ts";
import type { JudgedTree } from "./judged-tree.ts";
import { accumulateServices } from "./refuse-check.ts";

export interface JudgedTrees {
  tree: JudgedTree;
  /** The tree that the task started from; null: the tree is judged as it stands. */
  before: JudgedTree | null;
}

export interface JudgeTreeOptions extends JudgedTrees {
  checks: readonly Check[];
  /** Whose commands must not be tampered with: all that judge the result in the end. Default: `checks`. */
  guarded?: readonly Check[];
  /** What the task may write. What it names may be changed even if it is a test. */
  scope: readonly string[];
  policy: EffectivePolicy;
  runner: TreeRunner;
  signal?: AbortSignal;
  /** Each result as soon as it is there, in the order of the list; `round` counts from 0. */
  onCheck?(result: CheckResult, round: number): unknown;
  /** Looks at the directory below again. Null: it is as it was; else the trees over what it is now. */
  refresh?(): Promise<JudgedTrees | null>;
  /** Checks at once. Default 1. */
  concurrency?: number;
  /** Whether checks that pass are tried on the tree before as well. Default true. */
  compareBefore?: boolean;
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
  for (let round = 0; ; round++) {
    const { results, isStable } = await judgeRound(options, trees, round);
    const renewed = await options.refresh?.();
    const isSame = isStable && !renewed;
    if (isSame || round === MAX_REPEATS) {
      if (!isSame) results.push(await tell(options, describeUnstable(trees.tree), round));
      const allPassed = options.checks.length > 0 && results.every(({ verdict }) => verdict === "passed");
      return {
        verdict: options.checks.length === 0 ? "unverified" : allPassed ? "passed" : "failed",
        treeHash: trees.tree.treeHash,
        baseHash: (trees.before ?? trees.tree).treeHash,
        checks: results,
        repeated: round,
      };
    }
    if (renewed) trees = renewed;
  }
}

async function judgeRound(options: JudgeTreeOptions, { tree, before }: JudgedTrees, round: number) {
  const { checks, policy, runner, signal, now = () => performance.now() } = options;
  let isStable = true;
  const services = accumulateServices(checks);
  const contextFor = (judged: JudgedTree, index: number): JudgeContext => ({
    tree: judged,
    before,
    policy,
    rules: createPathRules(policy),
    runner,
    signal,
    services: services[index] ?? [],
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
  const judgeOn = (judged: JudgedTree, check: Check, index: number) =>
    unlessChanged<Finding>(
      () => judgeCheck(check, contextFor(judged, index)),
      (reason) => failed("unstable", reason),
    );

  const judgeAt = async (check: Check, index: number): Promise<CheckResult> => {
    throwIfAborted(signal);
    const since = now();
    const finding = await judgeOn(tree, check, index);
    const durationMs = Math.max(0, now() - since);
    const result = toResult(finding, check, tree, durationMs);
    if (finding.verdict !== "passed" || !before || !canCompare(check, options)) return result;
    // Nothing was changed: what holds now held before.
    if (before.treeHash === tree.treeHash) return { ...result, alsoPassesBefore: true };
    const earlier = await judgeOn(before, check, index);
    return { ...result, alsoPassesBefore: earlier.verdict === "passed" };
  };

  const results = await doInOrder(checks, options.concurrency ?? 1, judgeAt, (result) =>
    options.onCheck?.(result, round),
  );
  if (before && before.treeHash !== tree.treeHash) {
    throwIfAborted(signal);
    const implied = await unlessChanged(
      () => judgeImplied(options.guarded ?? checks, options.scope, before, contextFor(tree, checks.length)),
      () => [],
    );
    for (const { path, finding } of implied) {
      const check: Check = { type: "unchanged", paths: [path] };
      results.push(await tell(options, { ...toResult(finding, check, tree, 0), implied: true }, round));
    }
  }
  return { results, isStable };
}

/** That nothing changed is true of the tree before by its nature. */
function canCompare(check: Check, options: JudgeTreeOptions): boolean {
  return (options.compareBefore ?? true) && check.type !== "unchanged";
}

async function tell(options: JudgeTreeOptions, result: CheckResult, round: number): Promise<CheckResult> {
  await options.onCheck?.(result, round);
  return result;
}

function toResult(finding: Finding, check: Check, tree: JudgedTree, durationMs: number): CheckResult {
  const { verdict, reason, code, evidence } = finding;
  const { type, name } = check;
  const told = { type, ...(name !== undefined && { name }), verdict, reason, code, evidence };
  return { ...told, durationMs: Math.round(durationMs), treeHash: tree.treeHash, check: { ...check } };
}

function describeUnstable(tree: JudgedTree): CheckResult {
  return {
    type: "unchanged",
    verdict: "failed",
    reason: `The directory below the tree kept changing: the checks were made ${MAX_REPEATS + 1} times, and each time somebody else wrote to it.`,
    code: "unstable",
    evidence: {},
    durationMs: 0,
    treeHash: tree.treeHash,
    check: { type: "unchanged", paths: ["**"] },
    implied: true,
  };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new DrydockError("run.cancelled", "The checks were cancelled.", "Start them again when you want them.");
}
