import type { TreeRules, Workbench, WorkTree } from "../../sandbox/index.ts";
import type { EngineContext } from "../engine-context.ts";
import type { JudgedTree, JudgeTreeOptions } from "../verify/index.ts";

type Shared = Pick<
  JudgeTreeOptions,
  "policy" | "runner" | "signal" | "planIsUsers" | "mayChange" | "records" | "onCheck"
>;

/** What every judgement of a run has in common. `task` is who is told of each check. */
export function judgingOptions(context: EngineContext, task: string | null): Shared {
  const { policy, runner, signal, records, settings } = context;
  return {
    policy,
    runner,
    signal,
    records,
    planIsUsers: settings.planIsUsers,
    mayChange: settings.mayChange,
    onCheck: ({ type, verdict, reason }) =>
      task === null ? undefined : context.onProgress?.({ kind: "check", task, type, verdict, reason }),
  };
}

/** A tree as its judge sees it: for a control, files are changed that no task may write. Nothing of that is kept. */
export function toJudgedTree(bench: Workbench, tree: WorkTree): JudgedTree {
  const rules: TreeRules = { ...bench.rules, writable: () => true };
  return {
    treeHash: tree.treeHash,
    layer: tree.layer,
    lookup: (path) => tree.lookup(path),
    read: (path) => tree.read(path),
    paths: (prefix) => tree.paths(prefix),
    edit: async (edits) => toJudgedTree(bench, await bench.tree(tree.layer, rules).apply(edits)),
  };
}
