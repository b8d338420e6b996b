export { mcpServer } from "./mcp-server.ts";
export type { McpTestResult } from "./test-server.ts";
export type { ToolHost } from "./tool-host.ts";

/** Speaking MCP takes a library that most uses can do without. */
export const loadMcpTest = () => import("./test-server.ts");
