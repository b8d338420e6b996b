import type { EffectivePolicy } from "@drydock/protocol";
import { createPathRules, type PathRules } from "../../policy/index.ts";

/** One set of rules per list of patterns: hidden paths of a tree are cached by their set of rules. */
export function rememberRules(): (policy: EffectivePolicy, visible?: readonly string[]) => PathRules {
  const known = new Map<string, PathRules>();
  return (policy, visible) => {
    const key = JSON.stringify(visible ? [policy.files, visible] : policy.files);
    let rules = known.get(key);
    if (!rules) {
      rules = createPathRules(policy, visible);
      if (known.size > 64) known.clear();
      known.set(key, rules);
    }
    return rules;
  };
}
