import type { Layer } from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import { type EngineContext, type EngineSettings, openTree } from "../engine-context.ts";
import type { VerdictDecision } from "../verify/index.ts";

/** What the first tasks start from; null: the workspace as it is. */
export function startOf({ initial, followed }: Pick<EngineSettings, "initial" | "followed">): Layer | null {
  return followed?.layer ?? initial;
}

/**
 * The tree that a task's change is compared with. What a followed run left undelivered is part of the change of the tasks
 * that start from it: a test that was weakened there would otherwise count as untouched, and a false change would pass in
 * two steps.
 */
export async function openChangeBase(context: EngineContext, base: WorkTree): Promise<WorkTree> {
  return (await isStart(context, base)) ? openTree(context, context.settings.initial) : base;
}

/** Proof of what was taken over is no proof that this run did anything. */
export async function requireOwnChange<T extends Partial<VerdictDecision>>(
  context: EngineContext,
  tree: WorkTree,
  decision: T,
): Promise<T> {
  if (decision.verdict !== "passed" || !(await isStart(context, tree))) return decision;
  const reason = "This run did not change what the followed run left, so it proves nothing of its own.";
  return { ...decision, verdict: "unproven", reason };
}

/** Whether the tree is the undelivered result of the followed run, and nothing more. */
async function isStart(context: EngineContext, { treeHash }: WorkTree): Promise<boolean> {
  const layer = context.settings.followed?.layer ?? null;
  return layer !== null && (await openTree(context, layer)).treeHash === treeHash;
}
