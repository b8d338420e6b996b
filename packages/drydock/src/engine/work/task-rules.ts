import type { EffectivePolicy, PlanTask } from "@drydock/protocol";
import { narrowWrites } from "../../policy/index.ts";
import type { TreeRules, Workbench } from "../../sandbox/index.ts";

/** What a task may see and change: what the policy lets it, with its scope as a further limit. */
export function taskRules(
  { workbench, policy }: { workbench: Pick<Workbench, "rules">; policy: EffectivePolicy },
  task: Pick<PlanTask, "scope">,
): TreeRules {
  return { ...workbench.rules, ...narrowWrites(workbench.rules, policy, task.scope), scope: task.scope };
}
