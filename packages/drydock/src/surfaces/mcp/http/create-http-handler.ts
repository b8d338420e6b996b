import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  type McpRequestContext,
  type McpServer,
  originValidationResponse,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { createLegacySessions } from "./legacy-sessions.ts";
import { refuseRequest } from "./refuse-request.ts";

export interface HttpOptions {
  /** Names by which the server may be addressed. Default: this machine's own, which stops a rebound DNS name. */
  hostnames?: readonly string[];
  /** Clients of older revisions that may be connected at once. Default 256. */
  maxSessions?: number;
  /** After so long without a word such a client is forgotten. Default 30 minutes. */
  idleMs?: number;
  /** Default 4 MiB. */
  maxRequestBytes?: number;
  /** Tells streams of the newest revision what has changed. */
  bus?: ServerEventBus;
  /** Requests that could not be served. */
  onProblem?: (error: Error) => void;
}

export interface McpHttpEndpoint {
  /** Serves one request to the endpoint's path. The caller has checked the token. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const DEFAULTS = { maxSessions: 256, idleMs: 30 * 60_000, maxRequestBytes: 4 * 1024 * 1024 };

/** Streamable HTTP for all revisions: single requests for the newest, sessions for those before it. */
export function createHttpHandler(
  createServer: (request?: McpRequestContext) => McpServer | Promise<McpServer>,
  options: HttpOptions = {},
): McpHttpEndpoint {
  const hostnames = [...(options.hostnames ?? localhostAllowedHostnames())];
  const { maxSessions, idleMs, maxRequestBytes } = { ...DEFAULTS, ...options };
  const modern = createMcpHandler(createServer, {
    legacy: "reject",
    maxRequestBodySize: maxRequestBytes,
    bus: options.bus,
    onerror: options.onProblem,
  });
  const legacy = createLegacySessions(createServer, { maxSessions, idleMs, maxRequestBytes });
  let closed = false;
  return {
    async fetch(request) {
      if (closed) return refuseRequest(503, "The server is shutting down.");
      const refused = hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames);
      if (refused) return refused;
      const isOld = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxRequestBytes });
      return isOld ? legacy.handle(request) : modern.fetch(request);
    },
    async close() {
      closed = true;
      await Promise.allSettled([modern.close(), legacy.close()]);
    },
  };
}
