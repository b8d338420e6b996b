import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of the oldest kind: events on one connection, messages on another. `endpoint` is where it sends clients. */
export async function serveSse(endpoint = "/messages"): Promise<{ url: string; close(): Promise<void> }> {
  let stream: ServerResponse | undefined;
  const answer = ({ method, params }: { method: string; params?: { arguments?: { text?: string } } }) => {
    if (method === "initialize") {
      const serverInfo = { name: "old", version: "0.1" };
      return { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo };
    }
    if (method === "tools/list") return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
    return { content: [{ type: "text", text: `echo: ${params?.arguments?.text ?? ""}` }] };
  };
  const server = createServer(async (request, response) => {
    if (request.url === "/sse" && request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      stream.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    } else if (request.url === "/messages" && request.method === "POST") {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      response.writeHead(202).end();
      const message = JSON.parse(body);
      if (message.id === undefined) return;
      const reply = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) });
      stream?.write(`event: message\ndata: ${reply}\n\n`);
    } else response.writeHead(405).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sse`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
