import type { CapabilityOutcome, CapabilityTool, CommandRoute } from "@drydock/protocol";

/** Extensions, as tools see them: what can be called, and calling it with no more than the agent's call may do. */
export interface CapabilityHost {
  actions(): Promise<readonly CapabilityTool[]>;
  /** Whatever the values, the policy or the tool did is an outcome. */
  call(route: CommandRoute, where: { workspace?: string; signal: AbortSignal }): Promise<CapabilityOutcome>;
}
