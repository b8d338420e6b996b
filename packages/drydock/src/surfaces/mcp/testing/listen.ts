import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { McpHttpEndpoint } from "../http/create-http-handler.ts";

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Puts an endpoint on a free port of this machine, at /mcp. */
export async function listen(endpoint: McpHttpEndpoint): Promise<Listening> {
  const handle = toNodeHandler(endpoint);
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      await endpoint.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
