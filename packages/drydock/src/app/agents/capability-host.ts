import type { PolicyDocument } from "@drydock/protocol";
import type { CapabilityHost } from "../../tasks/index.ts";
import type { CapabilityContext, Extensions } from "../extensions/api.ts";
import type { WithinBudget } from "../extensions/index.ts";

export interface CapabilityCaller extends Pick<CapabilityContext, "session" | "model" | "approval">, WithinBudget {
  parentRunId: string;
  /** The policy that the agent and its callers have requested: extensions get no more than that. */
  policy: PolicyDocument | undefined;
  /** Where the agent's own code works, if anywhere. */
  workspace: string | undefined;
}

/** Extensions for the tools of an agent's call. */
export function createCapabilityHost(
  extensions: Pick<Extensions, "tools" | "execute">,
  { workspace: own, ...caller }: CapabilityCaller,
): CapabilityHost {
  return {
    actions: () => extensions.tools(),
    call: (route, { workspace = own, signal }) => extensions.execute(route, { ...caller, workspace, signal }),
  };
}
