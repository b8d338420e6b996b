import type { EffectivePolicy } from "@drydock/protocol";
import { createPathRules, type PathRules } from "../../policy/index.ts";

/** One set of rules per list of patterns: hidden paths of a tree are cached by their set of rules. */
export function rememberRules(): (policy: EffectivePolicy, visible?: readonly string[]) => PathRules {
  const known = new Map<string, PathRules>();
  /** Policies that were resolved are frozen and come again: each is looked at once. */
  const ofFrozen = new WeakMap<EffectivePolicy["files"], PathRules>();
  return (policy, visible) => {
    const isFixed = visible === undefined && Object.isFrozen(policy.files);
    const found = isFixed ? ofFrozen.get(policy.files) : undefined;
    if (found) return found;
    const key = JSON.stringify(visible ? [policy.files, visible] : policy.files);
    let rules = known.get(key);
    if (!rules) {
      rules = createPathRules(policy, visible);
      if (known.size > 64) known.clear();
      known.set(key, rules);
    }
    if (isFixed) ofFrozen.set(policy.files, rules);
    return rules;
  };
}
