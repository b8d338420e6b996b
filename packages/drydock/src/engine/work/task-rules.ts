import type { EffectivePolicy, PlanTask } from "@drydock/protocol";
import { createPathRules } from "../../policy/index.ts";
import type { TreeRules } from "../../sandbox/index.ts";

/** What a task may see and change: the policy's rules, with its scope as a further limit. */
export function taskRules(policy: EffectivePolicy, task: Pick<PlanTask, "scope">): TreeRules {
  const general = createPathRules(policy);
  const own = createPathRules({ files: { ...policy.files, write: [...task.scope] } });
  return {
    hidden: general.hidden,
    protectedPath: general.protectedPath,
    writable: (path) => general.writable(path) && own.writable(path),
    scope: task.scope,
  };
}
