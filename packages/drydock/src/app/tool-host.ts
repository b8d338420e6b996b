import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import { coversHost, matchHost, matchName } from "../policy/index.ts";
import type { CapabilityHost, ToolHost } from "../tasks/index.ts";
import type { Dock } from "./dock.ts";

/**
 * What tools with programs or addresses of their own may use of a dock, within the policy of the call that they serve.
 * The owner's ceiling is held by the dock itself.
 */
export function createToolHost(
  dock: Pick<Dock, "exec" | "policies">,
  {
    policy: outer,
    parentRunId,
    capabilities,
  }: { policy?: PolicyDocument; parentRunId?: string; capabilities?: CapabilityHost } = {},
): ToolHost {
  return {
    capabilities,
    exec: async ({ policy, ...request }) => dock.exec({ ...request, policy: narrow(outer, policy), parentRunId }),
    async admitServer(name, workspace) {
      const { effective, ceiling } = await dock.policies.show({ workspace });
      const asked = listOf(outer?.mcp?.allow);
      const lists = asked ? [asked, ceiling.mcp.allow] : [effective.mcp.allow];
      const refuse = (what: string, admits: (entry: string) => boolean) =>
        lists.some((allow) => !allow.some(admits)) ? serverDenied(name, what, lists) : null;
      // An entry for one tool lets its server be asked for its tools.
      const refusal = refuse(name, (entry) => matchName([entry.split("/")[0] ?? ""], name));
      if (refusal) throw refusal;
      return { refuseTool: (tool) => refuse(`${name}/${tool}`, (entry) => matchName([entry], `${name}/${tool}`)) };
    },
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

function serverDenied(server: string, what: string, lists: readonly (readonly string[])[]): DrydockError {
  const [asked = [], ceiling = asked] = lists;
  const list = [...ceiling, what].join(", ");
  const hint = `Allowed are: ${asked.join(", ") || "none"}. The owner can add it: \`drydock policy set mcp.allow '[${list}]'\`. A list of the agent, its call or the server's directory must name it too.`;
  const kind = what === server ? "MCP server" : "tool";
  const data = { server, name: what, allow: asked };
  return new DrydockError("policy.command_denied", `The policy does not allow the ${kind} ${what}.`, hint, data);
}

function deniedByCall(host: string): DrydockError {
  const hint = "Add the host to `network.allow` in the policy of the call.";
  return new DrydockError("policy.network_denied", `The call's policy does not allow ${host}.`, hint, { host });
}
