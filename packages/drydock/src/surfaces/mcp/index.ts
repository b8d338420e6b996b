import type { ServerEventBus } from "@modelcontextprotocol/server";
import type { Dock } from "../../app/index.ts";
import { createServerFactory } from "./create-server-factory.ts";
import { createHttpHandler, type HttpOptions, type McpHttpEndpoint } from "./http/create-http-handler.ts";
import { createMcpContext, type McpOptions } from "./mcp-context.ts";

export type { McpHttpEndpoint } from "./http/create-http-handler.ts";
export type { McpOptions } from "./mcp-context.ts";
export { serveMcpOverStdio } from "./serve-stdio.ts";

/** Drydock as an MCP server over streamable HTTP, to be mounted on a path. The dock stays the caller's. */
export function createMcpEndpoint(dock: Dock, options: McpOptions & HttpOptions = {}): McpHttpEndpoint {
  const context = createMcpContext(dock, options);
  const { capabilities } = context;
  const bus: ServerEventBus = {
    publish: () => {},
    subscribe: (listener) => capabilities.subscribe(() => listener({ kind: "tools_list_changed" })),
  };
  return createHttpHandler(createServerFactory(context), { bus, ...options });
}
