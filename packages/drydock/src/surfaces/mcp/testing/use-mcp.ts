import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll } from "vitest";
import { createDock, type Dock } from "../../../app/index.ts";
import { createMcpEndpoint, type McpOptions } from "../index.ts";
import { type Listening, listen } from "./listen.ts";

export interface McpPlace {
  dock: Dock;
  home: string;
  /** A directory that clients may name. */
  workspace: string;
  url: string;
  client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult & { structuredContent: Answered }>;
}

export interface Answered extends Record<string, unknown> {
  ok: boolean;
  error: { code: string; message: string; hint: string } | null;
}

/** A dock behind an HTTP endpoint, and a client of the newest revision, or of the one before, for a file of tests. */
export function useMcp(mode: "auto" | "legacy", options: McpOptions = {}): () => McpPlace {
  let place: McpPlace;
  let server: Listening;
  beforeAll(async () => {
    const home = await mkdtemp(join(tmpdir(), "drydock-mcp-"));
    const workspace = await mkdtemp(join(tmpdir(), "drydock-mcp-work-"));
    const dock = await createDock({ home, warm: 2 });
    server = await listen(createMcpEndpoint(dock, { workspaces: [workspace], ...options }));
    const client = await connectTo(server.url, mode);
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as CallToolResult & { structuredContent: Answered };
    place = { dock, home, workspace, url: server.url, client, call };
  });
  afterAll(async () => {
    await place.client.close();
    await server.close();
    await place.dock.close();
    for (const directory of [place.home, place.workspace]) await rm(directory, { recursive: true, force: true });
  });
  return () => place;
}

/** With `answer`, the client has a person who answers questions. */
export async function connectTo(
  url: string,
  mode: "auto" | "legacy",
  answer?: (message: string) => object,
): Promise<Client> {
  const capabilities = answer ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities });
  if (answer) client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message) as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}
