import { lookup } from "node:dns/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ResolveHost } from "./decide-target.ts";
import { createEgressConnection, type EgressConnection } from "./egress-connection.ts";
import { type AdmittedRun, createAdmittedRun, type EgressGrant, type EgressRun } from "./egress-run.ts";
import { DEFAULT_EGRESS_LIMITS, type EgressLimits } from "./limits.ts";
import { listenOnSocket } from "./listen-on-socket.ts";
import { createOwnServers, type OwnServer } from "./own-servers.ts";
import { readOpeningLine } from "./read-opening-line.ts";

export interface EgressProxyOptions {
  /** Where the socket lies; made if missing, and closed to all but its owner. */
  directory: string;
  /** Default: a name of its own inside `directory`. */
  socketPath?: string;
  limits?: Partial<EgressLimits>;
  /** Default: the system's resolver, hosts file included. */
  resolveHost?: ResolveHost;
  /** What no run reaches, whatever its policy says. */
  ownServers?: readonly OwnServer[];
}

export interface EgressProxy {
  readonly socketPath: string;
  admit: (run: EgressRun) => EgressGrant;
  /** Revokes every run and removes the socket. */
  close: () => Promise<void>;
}

const TOO_MANY =
  "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\nThis run has too many connections open.\n";

/**
 * The way out of every sandbox of a dock. A connection is: opening line → known run → HTTP proxy requests, each decided
 * for itself → tunnel or exchanges. node:http parses, strictly: contradicting lengths, folded headers and bare line
 * feeds never get past it.
 */
export async function createEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const limits: EgressLimits = { ...DEFAULT_EGRESS_LIMITS, ...options.limits };
  const resolveHost = options.resolveHost ?? resolveWithSystem;
  const isOwnServer = options.ownServers?.length ? createOwnServers(options.ownServers, resolveHost) : undefined;
  const runs = new Map<string, AdmittedRun>();
  const connections = new WeakMap<Duplex, EgressConnection>();
  const sockets = new Set<Socket>();

  const http = createHttpServer({
    maxHeaderSize: limits.headerBytes,
    insecureHTTPParser: false,
    requireHostHeader: false,
    keepAliveTimeout: limits.headersMs,
  });
  http.timeout = limits.idleMs;
  http.on("request", (request, response) => connections.get(request.socket)?.onRequest(request, response));
  http.on("connect", (request, client, head) => connections.get(client)?.onConnect(request.url ?? "", head));

  async function accept(socket: Socket): Promise<void> {
    const token = await readOpeningLine(socket, limits.openingMs);
    const admitted = token === null ? undefined : runs.get(token);
    if (admitted === undefined) {
      socket.destroy();
      return;
    }
    if (admitted.openConnections() >= limits.connectionsPerRun) {
      socket.resume().end(TOO_MANY, () => socket.destroy());
      return;
    }
    admitted.hold(socket);
    connections.set(socket, createEgressConnection(socket, admitted, limits, resolveHost));
    http.emit("connection", socket);
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    // node:http forgets its idle limit when a connection becomes a tunnel; this one lasts as long as the socket.
    socket.setTimeout(limits.idleMs, () => socket.destroy());
    void accept(socket);
  });
  const socketPath = await listenOnSocket(server, options.directory, options.socketPath);

  return {
    socketPath,
    admit(run) {
      const admitted = createAdmittedRun({ ...run, isOwnServer });
      runs.set(admitted.token, admitted);
      return {
        token: admitted.token,
        revoke() {
          runs.delete(admitted.token);
          admitted.revoke();
        },
      };
    },
    async close() {
      for (const admitted of runs.values()) admitted.revoke();
      runs.clear();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function resolveWithSystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
}
