import { randomUUID } from "node:crypto";
import type { CapabilityTool } from "@drydock/protocol";
import type { McpRequestContext, McpServer, RegisteredTool } from "@modelcontextprotocol/server";
import type { McpContext } from "../mcp-context.ts";
import { callCapability } from "./call-capability.ts";
import { describeInput, OUTPUT } from "./describe-schemas.ts";

/**
 * Each action of the enabled extensions is a tool. A long-lived server watches changes and notifies its client; one for
 * a single request has the tools of that moment.
 */
export async function registerCapabilities(
  server: McpServer,
  context: McpContext,
  request: Partial<McpRequestContext> = {},
): Promise<void> {
  const isOneRequest = request.requestInfo !== undefined;
  const caller = {
    session: context.session ?? `mcp-${randomUUID()}`,
    // Elsewhere a call that waits for an answer continues in another request, which ends at another time.
    isHeld: request.era !== "modern",
  };
  const registered = new Map<string, { key: string; handle: RegisteredTool }>();
  const update = (tools: readonly CapabilityTool[]) => {
    const wanted = new Map(tools.map((tool) => [tool.name, { key: JSON.stringify(tool), tool }]));
    for (const [name, { key, handle }] of registered) {
      if (wanted.get(name)?.key === key) continue;
      handle.remove();
      registered.delete(name);
    }
    for (const [name, { key, tool }] of wanted) {
      if (registered.has(name)) continue;
      registered.set(name, { key, handle: register(server, context, tool, caller) });
    }
  };
  update(await context.capabilities.current());
  if (isOneRequest) return;
  const stop = context.capabilities.subscribe(update);
  const { onclose } = server.server;
  server.server.onclose = () => {
    stop();
    onclose?.();
  };
}

function register(
  server: McpServer,
  context: McpContext,
  tool: CapabilityTool,
  caller: { session: string; isHeld: boolean },
): RegisteredTool {
  const title = `/${tool.command} ${tool.action}`;
  const config = {
    title,
    description: tool.description,
    annotations: { title, readOnlyHint: false, idempotentHint: false, openWorldHint: true },
    inputSchema: describeInput(tool, context.options),
    outputSchema: OUTPUT,
  };
  return server.registerTool(tool.name, config, (args, call) =>
    callCapability(context, server, tool, args, call, caller),
  );
}
