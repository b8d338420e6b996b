import { type Layer, type PlanTask, type TreeVerified, Verification } from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, openTree } from "../engine-context.ts";
import { judgeTree } from "../verify/index.ts";
import { type TaskBoard, taskKey } from "./task-board.ts";

const MAX_REPEATS = 3;

/**
 * The whole result, judged as it would be delivered: every task's checks must hold on the one tree that all tasks together
 * made. A task whose verdict was found on this very tree is not judged a second time.
 */
export async function judgeResult(
  context: EngineContext,
  board: TaskBoard,
  layer: Layer | null,
): Promise<TreeVerified> {
  const { journal, papers } = context;
  const recorded = journal.find("tree.verified", "final");
  if (recorded) return recorded.data as TreeVerified;
  context.checkpoint();
  const { verification, result } = await judgeStill(context, board, layer);
  await context.bench.keepOriginals(result);
  const failing = verification.checks.find((check) => check.verdict !== "passed");
  const unstable = `The workspace kept changing while the whole result was judged, ${MAX_REPEATS + 1} times.`;
  const held = verification.verdict === "passed" ? "All checks of all tasks hold on the whole result." : unstable;
  const data: TreeVerified = {
    key: "final",
    verdict: verification.verdict,
    treeHash: verification.treeHash,
    verification: await papers.keep(JSON.stringify(verification)),
    reason: failing ? `On the whole result: ${failing.reason}` : held,
  };
  const captured = {
    key: "final",
    final: true,
    layer: await context.layers.keep(result),
    entries: result.entries.length,
    baseHash: result.baseHash,
    treeHash: result.treeHash,
    denied: result.denied.slice(0, 50),
    changedUnderneath: [],
  };
  await journal.append([
    { type: "tree.verified", key: "final", data },
    { type: "layer.captured", key: "final", data: captured },
  ]);
  return data;
}

/** Where the directory below changes meanwhile, all is judged again. */
async function judgeStill(context: EngineContext, board: TaskBoard, layer: Layer | null) {
  const { bench, settings } = context;
  for (let round = 0; ; round++) {
    await bench.refresh();
    const tree = await openTree(context, layer);
    const verification = await judgeOnce(
      context,
      board,
      tree,
      (await openTree(context, settings.initial)).treeHash,
      round,
    );
    if (!(await bench.refresh())) return { verification, result: tree.layer };
    if (round === MAX_REPEATS)
      return { verification: { ...verification, verdict: "failed" as const }, result: tree.layer };
  }
}

async function judgeOnce(
  context: EngineContext,
  board: TaskBoard,
  tree: WorkTree,
  baseHash: string,
  repeated: number,
): Promise<Verification> {
  const checks: Verification["checks"] = [];
  for (const state of board.states()) {
    const known = await findVerdict(context, taskKey(state), tree.treeHash);
    checks.push(...(known ?? (await judgeAgain(context, state.task, tree))).checks);
  }
  const verdict = checks.every((check) => check.verdict === "passed") ? "passed" : "failed";
  return { verdict, treeHash: tree.treeHash, baseHash, checks, repeated };
}

/** The verdict that the task got on this tree. */
async function findVerdict(
  { journal, papers }: EngineContext,
  key: string,
  treeHash: string,
): Promise<Verification | null> {
  const done = journal.find("task.done", key);
  const verified = journal.find("task.verified", `${key}/a${done?.data.attempts}`);
  if (verified?.data.treeHash !== treeHash) return null;
  return Verification.parse(JSON.parse(await papers.read(String(verified.data.verification))));
}

/** `unchanged` compares with what the task started from, and held there: later tasks may change what they name. */
function judgeAgain(context: EngineContext, task: PlanTask, tree: WorkTree): Promise<Verification> {
  return judgeTree({
    checks: task.checks.filter((check) => check.type !== "unchanged"),
    tree,
    before: null,
    scope: task.scope,
    policy: context.policy,
    runner: context.runner,
    signal: context.signal,
    onCheck: ({ type, verdict, reason }) =>
      context.onProgress?.({ kind: "check", task: task.id, type, verdict, reason }),
  });
}
