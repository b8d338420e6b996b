import { DrydockError, type EffectivePolicy, SANDBOX_LEVELS, type SandboxLevel } from "@drydock/protocol";

/** Throws if the machine can't provide the level that the policy requires. */
export function checkLevel(level: SandboxLevel, policy: EffectivePolicy): void {
  if (SANDBOX_LEVELS.indexOf(level) <= SANDBOX_LEVELS.indexOf(policy.sandbox.level)) return;
  throw new DrydockError(
    "sandbox.level",
    `The policy requires the sandbox level "${policy.sandbox.level}", but this machine only provides "${level}".`,
    level === "rlimits"
      ? "Control groups need root, or a cgroup that was delegated to you. Run as root, or accept the level: `drydock policy set sandbox.level rlimits`."
      : "Run `drydock doctor`: it says what is missing for a better level.",
    { wanted: policy.sandbox.level, reached: level },
  );
}
