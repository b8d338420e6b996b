import { connectServer } from "./connect-server.ts";
import { cleanText, describeTools, type ServerTools } from "./describe-tools.ts";
import { fetchTools } from "./open-tools.ts";
import { readServerSpec } from "./server-spec.ts";
import type { ToolHost } from "./tool-host.ts";

export interface McpTestResult extends ServerTools {
  server: { name: string; version: string };
  /** The revision of the protocol that both sides speak. */
  protocol: string;
  connectMs: number;
}

/** Connects to a server, lists its tools, and ends it: nothing stays behind, also where it fails. */
export async function testMcpServer(host: ToolHost, value: unknown, signal: AbortSignal): Promise<McpTestResult> {
  const spec = readServerSpec(value);
  const { refuseTool } = await host.admitServer(spec.name, spec.workspace);
  const began = performance.now();
  const connection = await connectServer(host, spec, signal);
  try {
    const { client } = connection;
    const { name = "", version = "" } = client.getServerVersion() ?? {};
    const found = describeTools(spec, await fetchTools(connection, signal), (tool) => refuseTool(tool) === null);
    return {
      server: { name: cleanText(name).slice(0, 200), version: cleanText(version).slice(0, 100) },
      protocol: client.getNegotiatedProtocolVersion() ?? "unknown",
      connectMs: Math.round(performance.now() - began),
      ...found,
    };
  } finally {
    await connection.close();
  }
}
