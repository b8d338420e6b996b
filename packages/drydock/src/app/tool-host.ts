import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import { coversHost, matchHost } from "../policy/index.ts";
import type { ToolHost } from "../tasks/index.ts";
import type { Dock } from "./dock.ts";

/**
 * What tools with programs or addresses of their own may use of a dock, within the policy of the call that they serve.
 * The owner's ceiling is held by the dock itself.
 */
export function createToolHost(
  dock: Pick<Dock, "exec" | "policies">,
  { policy: outer, parentRunId }: { policy?: PolicyDocument; parentRunId?: string } = {},
): ToolHost {
  return {
    exec: async ({ policy, ...request }) => dock.exec({ ...request, policy: narrow(outer, policy), parentRunId }),
    async admitHost(host, port) {
      const allow = listOf(outer?.network?.allow);
      if (allow && !matchHost(allow, host, port)) throw deniedByCall(`${host}:${port}`);
      await dock.policies.show({ policy: { network: { allow: [`${host}:${port}`] } } });
    },
  };
}

/** What both ask for. A list that the call sets is its own; of hosts and limits a tool may ask for fewer. */
function narrow(outer: PolicyDocument | undefined, asked: PolicyDocument | undefined): PolicyDocument | undefined {
  if (!outer || !asked) return outer ?? asked;
  return {
    ...asked,
    ...outer,
    network: narrowNetwork(outer.network, asked.network),
    limits: narrowLimits(outer.limits, asked.limits),
  };
}

function narrowNetwork(outer: PolicyDocument["network"], asked: PolicyDocument["network"]): PolicyDocument["network"] {
  const allowed = listOf(outer?.allow);
  const wanted = listOf(asked?.allow);
  if (!allowed || !wanted) return outer ?? asked;
  const denied = wanted.find((host) => !allowed.some((one) => coversHost(one, host)));
  if (denied !== undefined) throw deniedByCall(denied);
  return { allow: wanted };
}

function narrowLimits(outer: PolicyDocument["limits"], asked: PolicyDocument["limits"]): PolicyDocument["limits"] {
  if (!outer || !asked) return outer ?? asked;
  const both = Object.entries(outer).map(([key, value]) => {
    const other = asked[key as keyof typeof asked];
    return [key, typeof value === "number" && typeof other === "number" ? Math.min(value, other) : value];
  });
  return { ...asked, ...Object.fromEntries(both) };
}

function listOf(value: string[] | { default?: string[]; max?: string[] } | undefined): string[] | undefined {
  return Array.isArray(value) ? value : (value?.max ?? value?.default);
}

function deniedByCall(host: string): DrydockError {
  const hint = "Add the host to `network.allow` in the policy of the call.";
  return new DrydockError("policy.network_denied", `The call's policy does not allow ${host}.`, hint, { host });
}
