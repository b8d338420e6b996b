import type { McpServerSpec } from "@drydock/protocol";
import type { ToolSource } from "../agents/agent.ts";
import { readServerSpec } from "./server-spec.ts";

/**
 * The tools of an MCP server, for an agent. The server is started when an agent that has it is called for the first
 * time, to list its tools; later calls start it only once one of its tools is called. It ends with the agent's call.
 */
export function mcpServer(value: McpServerSpec): ToolSource {
  const spec = readServerSpec(value);
  const known = { listedAt: 0 };
  return {
    name: spec.name,
    open: async (context) => (await import("./open-tools.ts")).openTools(spec, known, context),
  };
}
