import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import { hostDeniedByCallError, listOf, matchHost, matchName, narrowRequest } from "../../policy/index.ts";
import type { ToolHost } from "../../tasks/index.ts";
import type { Dock } from "../dock.ts";

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
    sandbox,
  }: Pick<ToolHost, "capabilities" | "sandbox"> & { policy?: PolicyDocument; parentRunId?: string } = {},
): ToolHost {
  return {
    capabilities,
    sandbox,
    exec: async ({ policy, ...request }) =>
      dock.exec({ ...request, policy: narrowRequest(outer, policy), parentRunId }),
    async admitServer(name, workspace) {
      const { effective, ceiling } = await dock.policies.show({ workspace });
      const requested = listOf(outer?.mcp?.allow);
      const lists = requested ? [requested, ceiling.mcp.allow] : [effective.mcp.allow];
      const refuse = (what: string, admits: (entry: string) => boolean) =>
        lists.some((allow) => !allow.some(admits)) ? serverDenied(name, what, lists) : null;
      // An entry for one tool also allows listing the tools of its server.
      const refusal = refuse(name, (entry) => matchName([entry.split("/")[0] ?? ""], name));
      if (refusal) throw refusal;
      return { refuseTool: (tool) => refuse(`${name}/${tool}`, (entry) => matchName([entry], `${name}/${tool}`)) };
    },
    async admitHost(host, port) {
      const allow = listOf(outer?.network?.allow);
      if (allow && !matchHost(allow, host, port)) throw hostDeniedByCallError(`${host}:${port}`);
      await dock.policies.show({ policy: { network: { allow: [`${host}:${port}`] } } });
    },
  };
}

function serverDenied(server: string, what: string, lists: readonly (readonly string[])[]): DrydockError {
  const [requested = [], ceiling = requested] = lists;
  const list = [...ceiling, what].join(", ");
  const hint = `Allowed are: ${requested.join(", ") || "none"}. The owner can add it: \`drydock policy set mcp.allow '[${list}]'\`. A list of the agent, its call or the server's directory must name it too.`;
  const kind = what === server ? "MCP server" : "tool";
  const data = { server, name: what, allow: requested };
  return new DrydockError("policy.command_denied", `The policy does not allow the ${kind} ${what}.`, hint, data);
}
