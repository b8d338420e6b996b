import { DrydockError, type EffectivePolicy } from "@drydock/protocol";
import { explainSwitch, type RuleOrigins } from "../policy/index.ts";

/** Throws where the policy lets no Python code run. */
export function requirePython(policy: EffectivePolicy, rules?: RuleOrigins): void {
  if (policy.python.enabled) return;
  throw new DrydockError(
    "policy.command_denied",
    "The policy lets no Python code run (python.enabled: false).",
    `Node and bash still run. ${explainSwitch("python.enabled", rules)}`,
    { command: "python" },
  );
}
