import { DrydockError, type McpServerSpec } from "@drydock/protocol";
import type { FunctionTool, ToolContext, ToolSource } from "../agents/agent.ts";
import { callTool } from "./call-tool.ts";
import { connectServer, type ServerConnection } from "./connect-server.ts";
import { describeTools, type ServerTool } from "./describe-tools.ts";
import type { ToolHost } from "./tool-host.ts";

/** How long a list of tools is taken for true. */
const LIST_LASTS_MS = 10 * 60_000;
const MAX_SHOWN = 40;
const MAX_FOUND = 10;

/** The tools of a server at the last request. */
export interface KnownTools {
  tools?: readonly ServerTool[];
  listedAt: number;
}

/** Opens a server's tools for one call of an agent. Without a valid cached list, the server is started and queried. */
export async function openTools(
  spec: McpServerSpec,
  known: KnownTools,
  { host, signal }: ToolContext,
): ReturnType<ToolSource["open"]> {
  if (!host) throw unbound(spec.name);
  const { refuseTool } = await host.admitServer(spec.name, spec.workspace);
  const line = createLine(host, spec, signal);
  let tools = Date.now() - known.listedAt > LIST_LASTS_MS ? undefined : known.tools;
  try {
    tools ??= describeTools(spec, await fetchTools(await line.connection(), signal)).tools;
  } catch (error) {
    await line.close();
    throw error;
  }
  if (tools !== known.tools) Object.assign(known, { tools, listedAt: Date.now() });
  const call: Call = async (name, input, context) => {
    const refusal = refuseTool(name);
    if (refusal) throw refusal;
    return callTool(await line.connection(), spec, name, input, context.signal);
  };
  // The list is kept for calls under other policies as well, so that it is held against this one's here.
  const shown = tools.filter(({ name }) => refuseTool(name) === null);
  return { tools: showTools(spec, shown, call), close: line.close };
}

type Call = (name: string, input: Record<string, unknown>, context: ToolContext) => Promise<string>;

/** One connection at a time, opened when it is needed, and again where it broke. */
function createLine(host: ToolHost, spec: McpServerSpec, signal: AbortSignal) {
  let open: Promise<ServerConnection> | undefined;
  const connection = () => {
    open ??= connectServer(host, spec, signal).then((made) => {
      made.client.onclose = () => {
        open = undefined;
      };
      return made;
    });
    open.catch(() => {
      open = undefined;
    });
    return open;
  };
  const close = async () => {
    const made = await open?.catch(() => undefined);
    await made?.close();
  };
  return { connection, close };
}

export async function fetchTools(
  { client, explain }: Pick<ServerConnection, "client" | "explain">,
  signal: AbortSignal,
) {
  if (!client.getServerCapabilities()?.tools) return [];
  try {
    return (await client.listTools(undefined, { signal })).tools;
  } catch (error) {
    throw explain(error);
  }
}

function showTools(spec: McpServerSpec, tools: readonly ServerTool[], call: Call): FunctionTool[] {
  if ((spec.show ?? (tools.length > MAX_SHOWN ? "search" : "all")) === "search") return showSearch(spec, tools, call);
  return tools.map(({ shownName, name, description, inputSchema }) => ({
    name: shownName,
    description: `${description} (MCP server ${spec.name})`.trim(),
    input: inputSchema,
    run: (input: Record<string, unknown>, context: ToolContext) => call(name, input, context),
  }));
}

/** Two tools in the place of many, whose descriptions would fill the model's room. */
function showSearch(spec: McpServerSpec, tools: readonly ServerTool[], call: Call): FunctionTool[] {
  const text = { type: "string" };
  return [
    {
      name: `${spec.name}__find_tools`,
      description: `Finds tools of the MCP server ${spec.name} (${tools.length} in all) by words of their names and descriptions.`,
      input: { type: "object", properties: { query: text }, required: ["query"] },
      run: ({ query }: { query?: unknown }) => findTools(tools, String(query ?? "")),
    },
    {
      name: `${spec.name}__call_tool`,
      description: `Calls a tool of the MCP server ${spec.name} that ${spec.name}__find_tools has named.`,
      input: {
        type: "object",
        properties: { name: text, arguments: { type: "object" } },
        required: ["name", "arguments"],
      },
      run: (input: { name?: unknown; arguments?: Record<string, unknown> }, context: ToolContext) => {
        const tool = tools.find(({ name }) => name === input.name);
        if (tool) return call(tool.name, input.arguments ?? {}, context);
        const message = `The MCP server ${spec.name} has no tool ${String(input.name)} that may be called.`;
        throw new DrydockError("input.invalid", message, `Find one with ${spec.name}__find_tools.`);
      },
    },
  ];
}

function findTools(tools: readonly ServerTool[], query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const score = ({ name, description }: ServerTool) =>
    words.reduce((sum, word) => {
      if (name.toLowerCase().includes(word)) return sum + 2;
      return sum + (description.toLowerCase().includes(word) ? 1 : 0);
    }, 0);
  return tools
    .map((tool) => ({ tool, score: score(tool) }))
    .filter((found) => words.length === 0 || found.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ tool: { name, description, inputSchema } }) => ({ name, description, inputSchema }));
}

function unbound(name: string): DrydockError {
  const hint = "Bind the agent to a dock: agents.use(dock).";
  return new DrydockError("input.invalid", `The MCP server ${name} needs a dock to run in.`, hint, { server: name });
}
