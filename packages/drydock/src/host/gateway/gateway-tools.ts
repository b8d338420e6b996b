import { ApiError, type HostMethod, hostParams, type RunContext } from "@drydock/protocol/runner";
import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CallHost } from "../access/create-api.ts";
import { toApiError } from "../access/to-api-error.ts";

/** What the tools of one run work with. */
export interface GatewayRun {
  runId: string;
  context: RunContext;
  call: CallHost;
  /** Puts on record that somebody was refused before a call was made. */
  onRefused(reason: string): void;
}

/** Calls of the host API that an external harness can make. The list is the same for every run: what is not granted is refused. */
const CALLS = {
  list_knowledge_bases: "Lists the knowledge bases that can be searched.",
  retrieve_knowledge: "Searches a knowledge base.",
  history_page: "Reads the conversation of the event, page by page.",
  history_search: "Searches the conversation of the event.",
  get_tool_detail: "Describes a tool of the host, with the JSON Schema of its parameters.",
  call_tool: "Calls a tool of the host.",
  artifact_metadata: "Describes an artifact of the run.",
  artifact_read: "Reads an artifact of the run, or a part of it.",
  artifact_read_range: "Reads a range of bytes of an artifact of the run.",
  state_get: "Reads a value of the agent's state.",
  state_set: "Sets a value of the agent's state.",
  state_delete: "Removes a value of the agent's state.",
  state_list: "Lists values of the agent's state.",
} as const satisfies Partial<Record<HostMethod, string>>;

const OWN = z.strictObject({ run_id: z.string() });

/** An MCP server for one request of one run. Each call names the run, as a check that the harness has not mixed up two. */
export function createGatewayServer(run: GatewayRun, version: string): McpServer {
  const server = new McpServer({ name: "drydock-host", version });
  const { runId, context, call } = run;
  const requireRun = (claimed: unknown) => {
    if (claimed === runId) return;
    run.onRefused("a call named another run");
    throw new ApiError("unauthorized", "The token belongs to another run than the call names.");
  };
  const own = (name: string, description: string, read: () => unknown) =>
    server.registerTool(name, { description, inputSchema: OWN }, ({ run_id }) =>
      answer(name, async () => {
        requireRun(run_id);
        return call("get_host_version", {}, { via: "gateway", as: name }).then(read);
      }),
    );
  own("list_assets", "Lists what this run may use: models, tools, knowledge bases, files, and which calls.", () => ({
    resources: context.resources,
    available_apis: context.context.available_apis,
  }));
  own("get_current_event", "Gives the event that this run answers, with its input and where it came from.", () => {
    const { event, conversation, actor, subject, input, delivery } = context;
    return { event, conversation, actor, subject, input, delivery };
  });
  for (const [name, description] of Object.entries(CALLS)) {
    const inputSchema = hostParams(name as HostMethod);
    server.registerTool(name, { description, inputSchema }, (args) =>
      answer(name, async () => {
        const { run_id, ...params } = args as Record<string, unknown>;
        requireRun(run_id);
        return call(name, params, { via: "gateway" });
      }),
    );
  }
  return server;
}

/** A refusal is a result that a model can read. */
async function answer(name: string, work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const value = (await work()) as Record<string, unknown>;
    return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
  } catch (error) {
    const { info } = toApiError(name, error);
    return {
      content: [{ type: "text", text: JSON.stringify(info) }],
      structuredContent: { error: info },
      isError: true,
    };
  }
}
