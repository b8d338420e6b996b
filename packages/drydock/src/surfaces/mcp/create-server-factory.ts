import { type McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import manifest from "../../../package.json" with { type: "json" };
import { registerCapabilities } from "./capabilities/register-capabilities.ts";
import type { Tool } from "./define-tool.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import type { McpContext } from "./mcp-context.ts";
import { registerResources } from "./resources.ts";
import { createAskTool } from "./tools/ask.ts";
import { createAuditTool } from "./tools/audit.ts";
import { createBacklogTools } from "./tools/backlog.ts";
import { createExecuteTools } from "./tools/execute.ts";
import { createGoalTools } from "./tools/goals.ts";
import { createHostTools } from "./tools/host.ts";
import { createKnowledgeTool } from "./tools/knowledge.ts";
import { createPlanTool } from "./tools/plan.ts";
import { createPythonTaskTools } from "./tools/python-tasks.ts";
import { createReplayTool } from "./tools/replay.ts";
import { createRunTools } from "./tools/runs.ts";
import { createSessionTools } from "./tools/sessions.ts";

const MAX_ARGUMENT_ELEMENTS = 100_000;
const IDENTITY = {
  name: "drydock",
  title: "Drydock",
  version: manifest.version,
  description: "Runs AI-written code in a sandbox under its owner's policy, and records everything.",
};
const OPTIONS = {
  instructions: INSTRUCTIONS,
  capabilities: { tools: { listChanged: true }, resources: { listChanged: false }, completions: {} },
  maxToolInputElements: MAX_ARGUMENT_ELEMENTS,
  debouncedNotificationMethods: ["notifications/tools/list_changed"],
};
const GROUPS = [
  createExecuteTools,
  createAskTool,
  createPythonTaskTools,
  createSessionTools,
  createGoalTools,
  createPlanTool,
  createBacklogTools,
  createRunTools,
  createReplayTool,
  createAuditTool,
  createHostTools,
  createKnowledgeTool,
];

/**
 * Makes servers, one for each connection, or for each request of a client of the newest revision. Whatever lasts (sessions,
 * runs) belongs to the dock; the tools are described once, for all of them, but for those of extensions, which come and go.
 */
export function createServerFactory(context: McpContext): (request?: McpRequestContext) => Promise<McpServer> {
  const tools = listTools(context);
  return async (request) => {
    const server = new McpServer(IDENTITY, OPTIONS);
    for (const tool of tools) tool.register(server, context);
    await registerCapabilities(server, context, request);
    registerResources(server, context);
    return server;
  };
}

function listTools(context: McpContext): Tool[] {
  return GROUPS.flatMap((create) => create(context)).filter(({ name, byChoice }) => context.isOffered(name, byChoice));
}
