import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpHandler, type HttpOptions, type McpHttpEndpoint } from "./http/create-http-handler.ts";
import { listen } from "./testing/listen.ts";
import { connectTo } from "./testing/use-mcp.ts";

const opened: McpHttpEndpoint[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((endpoint) => endpoint.close()));
});

/** How long the tool `wait` waits, and who is told of it. */
interface Waiting {
  ms?: number;
  onStart?: () => void;
  onAbort?: () => void;
}

function createServer({ ms = 300, onStart, onAbort = () => {} }: Waiting = {}): McpServer {
  const server = new McpServer({ name: "small", version: "1" });
  server.registerTool("wait", { description: "Waits" }, async ({ mcpReq, http }) => {
    mcpReq.signal.addEventListener("abort", onAbort);
    http?.closeSSE?.();
    onStart?.();
    await sleep(ms, undefined, { signal: mcpReq.signal });
    return { content: [{ type: "text", text: "waited" }] };
  });
  return server;
}

function open(options?: HttpOptions, waiting?: Waiting): McpHttpEndpoint {
  const endpoint = createHttpHandler(() => createServer(waiting), options);
  opened.push(endpoint);
  return endpoint;
}

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  host: "localhost",
};
const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

function post(endpoint: McpHttpEndpoint, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return endpoint.fetch(
    new Request("http://localhost/mcp", { method: "POST", headers: { ...HEADERS, ...headers }, body: text }),
  );
}

/** Opens a session of an older revision and gives its id. */
async function greet(endpoint: McpHttpEndpoint): Promise<string> {
  const response = await post(endpoint, HELLO);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}
async function ping(endpoint: McpHttpEndpoint, id: string): Promise<Response> {
  const response = await post(endpoint, { jsonrpc: "2.0", id: 2, method: "ping" }, { "mcp-session-id": id });
  await response.text();
  return response;
}

describe("the endpoint refuses", () => {
  it.each([
    ["a host that is not this machine", { host: "evil.example.org" }, 403],
    ["a page from elsewhere", { origin: "http://evil.example.org" }, 403],
    ["another kind of body", { "content-type": "text/plain" }, 415],
    ["who can't read the answer", { accept: "text/html" }, 406],
    ["a session that it does not know", { "mcp-session-id": "00000000-0000-0000-0000-000000000000" }, 404],
    ["a revision that does not exist", { "mcp-protocol-version": "1999-01-01", "mcp-session-id": "x" }, 404],
  ])("%s", async (_name, headers, status) => {
    const response = await post(open(), HELLO, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  });

  it.each([
    ["what is no JSON", "{", 400],
    ["what is no message", [1, 2], 400],
    ["a message that is too long", { ...HELLO, filler: "x".repeat(3000) }, 413],
  ])("%s", async (_name, body, status) => {
    expect((await post(open({ maxRequestBytes: 2000 }), body)).status).toBe(status);
  });

  it("everything once it is closed", async () => {
    const endpoint = open();
    await endpoint.close();
    expect((await post(endpoint, HELLO)).status).toBe(503);
  });
});

describe("clients of older revisions", () => {
  it("are known by an id until they leave", async () => {
    const endpoint = open();
    const id = await greet(endpoint);
    expect((await ping(endpoint, id)).status).toBe(200);
    const bye = new Request("http://localhost/mcp", {
      method: "DELETE",
      headers: { ...HEADERS, "mcp-session-id": id },
    });
    expect((await endpoint.fetch(bye)).status).toBe(200);
    expect((await ping(endpoint, id)).status).toBe(404);
  });

  it("make room for others when there are too many, the most silent first", async () => {
    const endpoint = open({ maxSessions: 2 });
    const first = await greet(endpoint);
    await sleep(5);
    const second = await greet(endpoint);
    await sleep(5);
    await ping(endpoint, first);
    await greet(endpoint);
    expect((await ping(endpoint, second)).status).toBe(404);
    expect((await ping(endpoint, first)).status).toBe(200);
  });

  it("are forgotten after a while, but not while they wait for an answer", async () => {
    const endpoint = open({ idleMs: 200 });
    const id = await greet(endpoint);
    const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "wait", arguments: {} } };
    const waiting = await post(endpoint, call, { "mcp-session-id": id, "mcp-protocol-version": "2025-06-18" });
    expect(await waiting.text()).toContain("waited");
    await expect.poll(async () => (await ping(endpoint, id)).status, { interval: 400 }).toBe(404);
  });

  it("take up a stream that broke, and miss nothing", async () => {
    const server = await listen(open());
    const client = await connectTo(server.url, "legacy");
    expect(await client.callTool({ name: "wait" })).toMatchObject({ content: [{ text: "waited" }] });
    await client.close();
    await server.close();
  });
});

it("ends what a client of the newest revision asked for when the client is gone", async () => {
  let aborted = 0;
  const started = Promise.withResolvers<void>();
  const server = await listen(open({}, { ms: 60_000, onStart: started.resolve, onAbort: () => aborted++ }));
  const client = new Client({ name: "gone", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  const call = client.callTool({ name: "wait" }).catch((error: unknown) => error);
  await started.promise;
  await client.close();
  await call;
  await expect.poll(() => aborted).toBe(1);
  await server.close();
});

describe("whatever is sent", () => {
  const name = fc.constantFrom(
    "initialize",
    "ping",
    "tools/call",
    "tools/list",
    "server/discover",
    "resources/read",
    "x",
  );
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0", 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.oneof(name, fc.jsonValue()),
      params: fc.oneof(
        fc.jsonValue(),
        fc.record({
          name: fc.string(),
          arguments: fc.jsonValue(),
          _meta: fc.jsonValue(),
          protocolVersion: fc.string(),
        }),
      ),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue(), fc.string());
  const version = fc.constantFrom("2026-07-28", "2025-11-25", "2024-11-05", "nonsense", "");

  it("is answered, and never by a fault of the server", async () => {
    const endpoint = open({ maxSessions: 4 });
    const id = await greet(endpoint);
    await fc.assert(
      fc.asyncProperty(body, version, fc.boolean(), async (sent, revision, known) => {
        const headers = { "mcp-protocol-version": revision, ...(known ? { "mcp-session-id": id } : {}) };
        const response = await post(endpoint, sent, headers);
        expect(response.status).toBeLessThan(500);
        await response.body?.cancel();
      }),
      { numRuns: 300 },
    );
  });
});
