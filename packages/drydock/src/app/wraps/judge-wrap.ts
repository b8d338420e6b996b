import type { CheckResult, Layer, RequiredCheck, Verification } from "@drydock/protocol";
import { judgeTree, toJudgedTree } from "../../engine/index.ts";
import type { ResolvedPolicy } from "../../policy/index.ts";
import { createTreeContents, createTreeRunner } from "../runs/run-on-tree.ts";
import type { WrapOptions } from "./api.ts";
import type { WrapPorts } from "./wrap-ports.ts";

export interface JudgedWrap {
  verdict: Verification["verdict"];
  reason: string;
  checks: CheckResult[];
  /** What was judged: the changes over the workspace as it is now. */
  layer: Layer;
  notes: string[];
}

interface JudgeOptions extends Pick<WrapOptions, "mayChange" | "onCheck" | "signal"> {
  runId: string;
  workspace: string;
  resolved: ResolvedPolicy;
  required: readonly RequiredCheck[];
}

/** The ordinary verifier on the exact tree that would be delivered, compared with the workspace. */
export async function judgeWrap(ports: WrapPorts, layer: Layer, options: JudgeOptions): Promise<JudgedWrap> {
  const { runId, workspace, resolved, required, mayChange = [], onCheck, signal } = options;
  const { effective: policy } = resolved;
  const nothing = { checks: [], layer, notes: [] };
  if (layer.denied.length > 0) {
    const reason = `The policy does not let ${layer.denied[0]} be changed: the changes can't be delivered.`;
    return { ...nothing, verdict: "failed", reason };
  }
  if (layer.entries.length === 0) return { ...nothing, verdict: "unverified", reason: "Nothing was changed." };
  if (required.length === 0) {
    const reason = "There was no check: .drydock/checks.yaml of the workspace, or --check, has none.";
    return { ...nothing, verdict: "unverified", reason };
  }
  const contents = createTreeContents(ports.ledger, runId);
  const workbench = await ports.sandbox().openWorkbench({ workspace, policy, contents, signal });
  try {
    const rebased = await workbench.rebase(layer);
    if (!rebased.ok) {
      const files = rebased.conflicts.slice(0, 5).join(", ");
      return { ...nothing, verdict: "unverified", reason: `The workspace was changed at the same places: ${files}.` };
    }
    const notes = new Set<string>();
    let current = rebased.layer;
    const treesOver = (over: Layer) => ({
      tree: toJudgedTree(workbench, workbench.tree(over)),
      before: toJudgedTree(workbench, workbench.tree(null)),
    });
    const nameSource = (result: CheckResult, index: number): CheckResult => {
      const source = result.implied ? undefined : required[index]?.source;
      return source === undefined ? result : { ...result, source };
    };
    const counts: number[] = [];
    const judged = await judgeTree({
      ...treesOver(current),
      checks: required.map(({ check }) => check),
      scope: policy.files.write,
      mayChange,
      policy,
      runner: createTreeRunner(ports, { runId, workspace, policy, notes }),
      signal,
      onCheck: async (bare, round) => {
        // Results come in the order of the list, from the first again in each round.
        const index = counts[round] ?? 0;
        counts[round] = index + 1;
        const result = nameSource(bare, index);
        await ports.ledger.append(runId, [{ type: "check.finished", data: { ...result, round } }]);
        onCheck?.(result);
      },
      refresh: async () => {
        if (!(await workbench.refresh())) return null;
        const again = await workbench.rebase(layer);
        if (!again.ok) return null;
        current = again.layer;
        return treesOver(current);
      },
    });
    const { verdict, reason = "" } = judged;
    return { verdict, reason, checks: judged.checks.map(nameSource), layer: current, notes: [...notes] };
  } finally {
    await workbench.close();
  }
}
