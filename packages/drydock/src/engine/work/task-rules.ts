import type { EffectivePolicy, PlanTask } from "@drydock/protocol";
import { createPathRules } from "../../policy/index.ts";
import type { TreeRules, Workbench } from "../../sandbox/index.ts";

/** What a task may see and change: what the policy lets it, with its scope as a further limit. */
export function taskRules(
  { bench, policy }: { bench: Pick<Workbench, "rules">; policy: EffectivePolicy },
  task: Pick<PlanTask, "scope">,
): TreeRules {
  const own = createPathRules({ files: { ...policy.files, write: [...task.scope] } });
  return {
    ...bench.rules,
    writable: (path) => bench.rules.writable(path) && own.writable(path),
    scope: task.scope,
  };
}
