import type { CapabilityOutcome, CommandRoute } from "@drydock/protocol";

/** One action of an enabled extension, as a model can be shown it. */
export interface HostedAction {
  name: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: Record<string, unknown>;
  command: string;
  action: string;
  extension: string;
}

/** Extensions, as tools see them: what can be called, and calling it with no more than the agent's call may do. */
export interface CapabilityHost {
  actions(): Promise<readonly HostedAction[]>;
  /** Whatever the values, the policy or the tool did is an outcome. */
  call(route: CommandRoute, where: { workspace?: string; signal: AbortSignal }): Promise<CapabilityOutcome>;
}
