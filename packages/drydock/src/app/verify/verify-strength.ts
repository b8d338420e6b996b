import { availableParallelism } from "node:os";
import { type Check, DrydockError, type EffectivePolicy } from "@drydock/protocol";
import { loadDelivery, loadStrength, toJudgedTree } from "../../engine/index.ts";
import { createPathRules } from "../../policy/index.ts";
import { openWorkbench } from "../../sandbox/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { createTreeContents, createTreeRunner } from "../runs/run-on-tree.ts";
import type { StrengthOptions } from "./api.ts";

export interface StrengthContext {
  runId: string;
  workspace: string;
  policy: EffectivePolicy;
  searchPath: string;
}

const MAX_AT_ONCE = 4;

/** Opens the revision that is named, before anything runs: a wrong name should not cost a run of all checks. */
export async function openSince(
  { workspace, searchPath }: Pick<StrengthContext, "workspace" | "searchPath">,
  since: string | undefined,
) {
  if (since === undefined) return null;
  const { openRevision } = await loadDelivery();
  return openRevision({ workspace, searchPath }, since);
}

/** How many small faults in a directory's source its checks notice. All of them have passed. */
export async function measureDirectory(
  ports: ExecPorts,
  place: StrengthContext,
  options: StrengthOptions & { checks: readonly Check[]; treeHash: string; signal?: AbortSignal },
  before: Awaited<ReturnType<typeof openSince>>,
) {
  const { runId, workspace, policy } = place;
  const rules = createPathRules(policy);
  const contents = createTreeContents(ports.ledger, runId);
  const workbench = await openWorkbench({ workspace, rules, contents });
  try {
    const tree = workbench.tree(null);
    if (tree.treeHash !== options.treeHash) throw changedMeanwhile(workspace);
    const { measureSourceStrength } = await loadStrength();
    return await measureSourceStrength({
      tree: toJudgedTree(workbench, tree),
      before,
      checks: options.checks,
      policy,
      runner: createTreeRunner(ports, place),
      seed: options.seed,
      limit: options.mutants,
      concurrency: Math.min(MAX_AT_ONCE, availableParallelism()),
      budgetSeconds: options.budgetSeconds,
      signal: options.signal,
      onProgress: options.onProgress,
    });
  } finally {
    await workbench.close();
  }
}

function changedMeanwhile(workspace: string): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    `${workspace} was changed after its checks had passed, so that its strength can't be measured.`,
    "Start again when nobody writes to the directory.",
    { workspace },
  );
}
