import { EffectivePolicy, type Layer } from "@drydock/protocol";
import { createPathRules } from "../../policy/index.ts";

/** Which paths were hidden from a run, by the policy on its record. Where that can't be read: all that was denied to it. */
export function hiddenFrom(frozen: unknown, { denied }: Pick<Layer, "denied">): (path: string) => boolean {
  const policy = EffectivePolicy.safeParse(frozen);
  return policy.success ? createPathRules(policy.data).hidden : (path) => denied.includes(path);
}
