import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Notice } from "../warnings.ts";
import { createGatewayServer, type GatewayRun } from "./gateway-tools.ts";

/** How a harness reaches the host for one run. The token is in no prompt and no argument; it dies with the run. */
export interface GatewayAccess {
  runId: string;
  url: string;
  token: string;
}

/*
 * One server on the loopback of the host, opened with the first run that needs it. Each run has a path and a token of its own.
 */
export interface Gateway {
  open(run: GatewayRun): Promise<GatewayAccess & { close(): Promise<void> }>;
  close(): Promise<void>;
}

interface OpenRun {
  run: GatewayRun;
  tokenHash: Buffer;
  handle: ReturnType<typeof toNodeHandler>;
}

const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const PATH = /^\/runs\/([A-Za-z0-9_]{1,100})\/mcp$/;

const NOT_UNDER_WAY = "The gateway refused a request for a run that is not under way.";

export function createGateway(version: string, onRefused: (notice: Notice) => void): Gateway {
  const runs = new Map<string, OpenRun>();
  let listening: Promise<Server> | undefined;
  const isLocalHost = localhostHostValidation();
  const isLocalOrigin = localhostOriginValidation();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A page in a browser must not reach it by a name that was made to lead here.
    if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
    const [, runId = ""] = PATH.exec((request.url ?? "").split("?")[0] ?? "") ?? [];
    const open = runs.get(runId);
    const token = /^Bearer (\S{1,200})$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!open || !timingSafeEqual(hashToken(token), open.tokenHash)) {
      // Which of both it was is not told: runs can't be found out by asking.
      if (open) open.run.onRefused("a request had no token, or that of another run");
      else onRefused({ kind: "refused", source: "gateway", text: NOT_UNDER_WAY, runId: runId || null });
      return refuse(response);
    }
    await open.handle(request, response);
  };

  const listen = async (): Promise<Server> => {
    const server = createServer((request, response) => {
      serve(request, response).catch(() => response.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    server.unref();
    return server;
  };

  return {
    async open(run) {
      listening ??= listen();
      const { port } = (await listening).address() as AddressInfo;
      const token = randomBytes(32).toString("base64url");
      const handler = createMcpHandler(() => createGatewayServer(run, version), {
        maxRequestBodySize: MAX_REQUEST_BYTES,
      });
      runs.set(run.runId, { run, tokenHash: hashToken(token), handle: toNodeHandler(handler) });
      return {
        ...{ runId: run.runId, url: `http://127.0.0.1:${port}/runs/${run.runId}/mcp`, token },
        async close() {
          runs.delete(run.runId);
          await handler.close();
        },
      };
    },
    async close() {
      runs.clear();
      const server = await listening?.catch(() => undefined);
      server?.closeAllConnections();
      server?.close();
    },
  };
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function refuse(response: ServerResponse): void {
  response.writeHead(401, { "content-type": "application/json", "www-authenticate": "Bearer" });
  const error = { code: -32_001, message: "The token is not that of a run that is under way." };
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
}
