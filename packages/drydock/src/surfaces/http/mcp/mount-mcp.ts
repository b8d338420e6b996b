import type { Hono } from "hono";
import type { McpHttpEndpoint } from "../../mcp/index.ts";
import { answerError } from "../guard/answer-error.ts";
import type { SocketEnv } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";

/** MCP over streamable HTTP at /mcp. Its code is loaded with the first request: most servers get none. */
export function mountMcp(app: Hono<SocketEnv>, server: ServerContext): void {
  let endpoint: Promise<McpHttpEndpoint> | undefined;
  const open = async () => {
    const { createMcpEndpoint } = await import("../../mcp/index.ts");
    const { dock, model, limits, hostnames, mcpExtensions: extensions, mcpTools: tools } = server;
    const options = { workspaces: "any", tools, extensions, model, hostnames } as const;
    return createMcpEndpoint(dock, { ...options, maxRequestBytes: limits.bodyBytes });
  };
  server.activity.draining.addEventListener("abort", () => void endpoint?.then((opened) => opened.close()), {
    once: true,
  });
  app.all("/mcp", async (c) => {
    try {
      server.limitRate(c.env?.incoming?.socket.remoteAddress ?? "here");
      // Whatever the method: a message may come with any.
      server.authorize(c.req.raw.headers, "run", "POST");
      endpoint ??= open();
      return await (await endpoint).fetch(c.req.raw);
    } catch (error) {
      return answerError(error);
    }
  });
}
