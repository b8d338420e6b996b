import {
  type Check,
  type CheckResult,
  type Layer,
  type PlanTask,
  type TreeVerified,
  Verification,
} from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, openTree } from "../engine-context.ts";
import { accumulateServices, decideVerdict, describeCheckType, judgeTree, toJudgedTree } from "../verify/index.ts";
import { requireOwnChange } from "./followed-work.ts";
import { judgingOptions } from "./judging-options.ts";
import { joinRequired, labelRequired } from "./required-checks.ts";
import { type TaskBoard, taskKey } from "./task-board.ts";

const MAX_REPEATS = 3;

/**
 * The whole result, judged as it would be delivered: every task's checks must hold on the one tree that all tasks together
 * made. A task whose verdict was found on this very tree is not judged a second time. What people require is judged on
 * this tree as well, compared with what the run started from.
 */
export async function judgeResult(
  context: EngineContext,
  board: TaskBoard,
  layer: Layer | null,
): Promise<TreeVerified> {
  const { journal, documents } = context;
  const recorded = journal.find("tree.verified", "final");
  if (recorded) return recorded.data as TreeVerified;
  context.checkpoint();
  const { whole, verification, result } = await judgeStill(context, board, layer);
  await context.workbench.keepOriginals(result);
  const failing = verification.checks.find((check) => check.verdict !== "passed");
  const unstable = `The workspace kept changing while the whole result was judged, ${MAX_REPEATS + 1} times.`;
  const held = describeVerdict(context, verification) ?? unstable;
  const data: TreeVerified = {
    key: "final",
    verdict: verification.verdict,
    treeHash: verification.treeHash,
    verification: await documents.keep(JSON.stringify(verification)),
    reason: failing ? `On the whole result: ${describeSource(failing)}${failing.reason}` : held,
  };
  const captured = {
    key: "final",
    final: true,
    layer: await context.layers.keepWhole(result),
    entries: result.entries.length,
    baseHash: result.baseHash,
    treeHash: result.treeHash,
    denied: result.denied.slice(0, 50),
    changedUnderneath: [],
  };
  await journal.append([
    ...whole.map((check, index) => ({
      type: "check.finished" as const,
      key: `final/check/${index}`,
      data: { key: `final/check/${index}`, ...check },
    })),
    { type: "tree.verified", key: "final", data },
    { type: "layer.captured", key: "final", data: captured },
  ]);
  return data;
}

function describeVerdict({ settings }: EngineContext, { verdict, reason, declared }: Verification): string | null {
  if (verdict === "unproven") return reason ?? null;
  if (verdict !== "passed") return null;
  const required = settings.required.length === 0 ? "" : ", and all that people require,";
  const word = declared ? ` ${reason}` : "";
  return `All checks of all tasks${required} pass on the whole result.${word}`;
}

function describeSource({ source, check }: CheckResult): string {
  return source === undefined || source === "plan" ? "" : `${labelRequired(source, check)}: `;
}

/** Where the directory below changes meanwhile, all is judged again: here, and not once more for each part of it. */
async function judgeStill(context: EngineContext, board: TaskBoard, layer: Layer | null) {
  const { workbench, settings } = context;
  for (let round = 0; ; round++) {
    await workbench.refresh();
    const tree = await openTree(context, layer);
    const base = await openTree(context, settings.initial);
    const { whole, verification } = await judgeOnce(context, board, { tree, base }, round);
    const isStill = !verification.checks.some(({ implied, code }) => implied && code === "unstable");
    if (!(await workbench.refresh()) && isStill) return { whole, verification, result: tree.layer };
    if (round === MAX_REPEATS) {
      return { whole, verification: { ...verification, verdict: "failed" as const }, result: tree.layer };
    }
  }
}

/** `whole`: results that belong to no task. */
async function judgeOnce(
  context: EngineContext,
  board: TaskBoard,
  { tree, base }: { tree: WorkTree; base: WorkTree },
  repeated: number,
): Promise<{ whole: CheckResult[]; verification: Verification }> {
  const ofTasks: CheckResult[] = [];
  const others: PlanTask[] = [];
  for (const state of board.states()) {
    const known = await findVerdict(context, taskKey(state), tree.treeHash);
    if (known) ofTasks.push(...known.checks);
    else others.push(state.task);
  }
  ofTasks.push(...(await judgeAgain(context, board, others, { tree, base })));
  // The attempt at a plan's only task was judged by them already.
  const isRequiredKnown = ofTasks.some(({ source = "plan" }) => source !== "plan");
  const whole = isRequiredKnown ? [] : await judgeRequired(context, board, tree, base);
  const checks = [...ofTasks, ...whole];
  const decision = await requireOwnChange(context, tree, decideVerdict(checks, tree.treeHash !== base.treeHash));
  return { whole, verification: { ...decision, treeHash: tree.treeHash, baseHash: base.treeHash, checks, repeated } };
}

async function judgeRequired(
  context: EngineContext,
  board: TaskBoard,
  tree: WorkTree,
  base: WorkTree,
): Promise<CheckResult[]> {
  const { checks, nameSources } = joinRequired([], context.settings.required);
  if (checks.length === 0) return [];
  const judged = await judgeTree({
    checks,
    tree: toJudgedTree(context.workbench, tree),
    before: toJudgedTree(context.workbench, base),
    guarded: board.checks(),
    scope: scopesOf(board),
    ...judgingOptions(context, null),
    maxRepeats: 0,
  });
  return nameSources(judged.checks);
}

/** The verdict that the task got on this tree. */
async function findVerdict(
  { journal, documents }: EngineContext,
  key: string,
  treeHash: string,
): Promise<Verification | null> {
  const done = journal.find("task.done", key);
  const verified = journal.find("task.verified", `${key}/a${done?.data.judged ?? done?.data.attempts}`);
  if (verified?.data.treeHash !== treeHash) return null;
  return Verification.parse(JSON.parse(await documents.read(String(verified.data.verification))));
}

function scopesOf(board: TaskBoard): string[] {
  return [...new Set(board.states().flatMap(({ task }) => task.scope))];
}

/**
 * Together, so that the trees are compared once and not once for each task. `unchanged` compares with what the task started from,
 * and held there: later tasks may change what they name.
 */
async function judgeAgain(
  context: EngineContext,
  board: TaskBoard,
  tasks: readonly PlanTask[],
  { tree, base }: { tree: WorkTree; base: WorkTree },
): Promise<CheckResult[]> {
  if (tasks.length === 0) return [];
  const lists = tasks.map(({ id, checks }) => ({
    id,
    checks: checks.filter((check) => !describeCheckType(check).comparesTrees),
  }));
  const owners = new Map<Check, string>(lists.flatMap(({ id, checks }) => checks.map((check) => [check, id] as const)));
  const ids = lists.flatMap(({ id, checks }) => checks.map(() => id));
  let judged = 0;
  const { checks } = await judgeTree({
    ...judgingOptions(context, null),
    checks: lists.flatMap((list) => list.checks),
    // What one task starts, the checks of another do not find running.
    services: lists.flatMap((list) => accumulateServices(list.checks).slice(0, -1)),
    tree: toJudgedTree(context.workbench, tree),
    before: toJudgedTree(context.workbench, base),
    guarded: board.checks(),
    scope: scopesOf(board),
    onStart: (check, phase) => judgingOptions(context, owners.get(check) ?? null).onStart?.(check, phase),
    onCheck: (result, round) => judgingOptions(context, ids[judged++] ?? null).onCheck?.(result, round),
    maxRepeats: 0,
  });
  return checks;
}
