import { DrydockError, type HostAgent } from "@drydock/protocol";
import * as z from "zod";
import type { HostPorts } from "../../../host/index.ts";
import type { FunctionTool, ToolSource } from "../../../tasks/index.ts";
import { capability, mcpServer, ToolAnswer } from "../../../tasks/index.ts";
import { createCapabilityHost, createToolHost } from "../../agents/index.ts";
import type { OpenBoxes } from "../../boxes/api.ts";
import {
  BOX_TOOLS,
  createBoxTools,
  createSkillTools,
  SKILL_TOOLS,
  switchedOff,
  toServerSpec,
} from "../../boxes/index.ts";
import { execute } from "../../execute/index.ts";
import type { Extensions } from "../../extensions/api.ts";
import { createPolicyViews } from "../../policies/index.ts";
import type { ExecPorts } from "../../runs/exec-ports.ts";
import type { Sessions } from "../../sessions/api.ts";
import type { Skills } from "../../skills/api.ts";
import { toPlainSchema } from "./plain-schema.ts";
import { createSandboxSource, SANDBOX_TOOLS } from "./sandbox-source.ts";

export interface ToolPorts extends ExecPorts {
  sessions: Pick<Sessions, "open">;
  extensions: Pick<Extensions, "tools" | "execute">;
  boxes: Pick<OpenBoxes, "load">;
  skills: Pick<Skills, "find" | "register">;
}

type RunTools = ReturnType<HostPorts["openTools"]>;
type Described = NonNullable<Awaited<ReturnType<RunTools["describe"]>>>;

/**
 * The dock's tools for one run of a runner. Each has the owner's policy, and a run that names the runner's as its parent.
 * An MCP server is started with the first use of one of its tools, and ends with the run.
 */
export function openRunTools(
  ports: ToolPorts,
  { runId, agent, event, signal }: Parameters<HostPorts["openTools"]>[0],
): RunTools {
  const sandbox = createSandboxSource(ports, runId);
  const host = createToolHost(
    {
      exec: (request) => execute(ports, { signal, ...request }),
      policies: createPolicyViews(ports.policies, ports.own),
    },
    {
      parentRunId: runId,
      capabilities: createCapabilityHost(ports.extensions, {
        ...{ parentRunId: runId, session: runId, policy: undefined, workspace: undefined, model: undefined },
        approval: "wait",
      }),
    },
  );
  const enter = async (over: AbortSignal) => (await ports.boxes.load()).enter({ agent, event, signal: over });
  const servers = new Map<string, ReturnType<ToolSource["open"]>>();
  const openServer = (server: HostAgent["mcpServers"][number]) => {
    const open =
      servers.get(server.name) ?? mcpServer({ ...toServerSpec(server), show: "all" }).open({ signal, runId, host });
    servers.set(server.name, open);
    open.catch(() => servers.delete(server.name));
    return open;
  };

  const find = async (name: string, over: AbortSignal): Promise<FoundTool | null> => {
    const named = (tools: readonly FunctionTool[]) => tools.find((tool) => tool.name === name);
    if (BOX_TOOLS.some((each) => each === name)) return toFound(named(createBoxTools(enter, over)), true);
    if (SKILL_TOOLS.some((each) => each === name)) {
      const facts = () => ports.ledger.openHost();
      return toFound(named(createSkillTools({ agent, event, runId, enter, facts, skills: ports.skills }, over)), true);
    }
    if (SANDBOX_TOOLS.includes(name)) return toFound(named(sandbox.open(over)), true);
    const server = agent.mcpServers.find((each) => name.startsWith(`${each.name}__`));
    if (server?.inBox) return toFound(named(await (await enter(over)).servers.tools(server, over)), false);
    if (server?.enabled === false) throw switchedOff(server.name);
    if (server) return toFound(named((await openServer(server)).tools), false);
    const action = (await ports.extensions.tools()).find((each) => each.name === name);
    if (!action) return null;
    const { tools } = await capability(`${action.command} ${action.action}`).open({ signal: over, runId, host });
    return toFound(named(tools), true);
  };

  return {
    async describe(name) {
      const found = await find(name, signal);
      return found && { name, description: found.tool.description, ...found.schemas };
    },
    async call(name, parameters, over) {
      const found = await find(name, over);
      if (!found) throw noTool(name);
      try {
        const value = await found.tool.run(parameters as never, { signal: over, runId, host });
        if (value instanceof ToolAnswer) return { text: value.text, failed: value.failed, runId: value.runId };
        const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
        return { text, failed: false, runId: null };
      } catch (error) {
        over.throwIfAborted();
        // A server that says that its tool failed: its words are the answer.
        if (!(error instanceof DrydockError) || error.code !== "code.exception") throw error;
        return { text: error.message, failed: true, runId: null };
      }
    },
    async close() {
      await Promise.allSettled([sandbox.close(), ...[...servers.values()].map(async (open) => (await open).close())]);
    },
  };
}

interface FoundTool {
  tool: FunctionTool;
  schemas: Pick<Described, "parameters" | "checked">;
}

/** `isOwn`: its schema was written by this dock, or by an extension that the owner has installed. */
function toFound(tool: FunctionTool | undefined, isOwn: boolean): FoundTool | null {
  if (!tool) return null;
  const { input } = tool;
  const parameters =
    "_zod" in input ? (z.toJSONSchema(input as z.ZodType, { io: "input" }) as Record<string, unknown>) : input;
  return { tool, schemas: { parameters, checked: isOwn ? parameters : toPlainSchema(parameters) } };
}

function noTool(name: string): DrydockError {
  return new DrydockError("input.invalid", `There is no tool ${name}.`, "Grant one that exists.", { tool: name });
}
