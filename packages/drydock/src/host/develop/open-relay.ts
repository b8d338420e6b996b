import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { WebSocketServer } from "ws";
import { createParties, type PartiesOptions } from "./join-parties.ts";

/**
 * Where hosts reach a plugin that is being developed, and where its runner connects if its author has started it: two paths
 * on loopback, each with a token of its own.
 */
export interface Relay {
  readonly host: RelayEnd;
  readonly runner: RelayEnd;
  /** The plugin has changed: hosts connect again when they need it. */
  restart(reason: string): void;
  close(): Promise<void>;
}

export interface RelayEnd {
  url: string;
  token: string;
}

const GOING_AWAY = 1001;
const RESTART = 1012;
const OVER = "The development has ended.";

export async function openRelay(options: PartiesOptions): Promise<Relay> {
  const parties = createParties(options);
  const ends = [
    { path: "/host", token: newToken(), add: parties.addHost },
    { path: "/runner", token: newToken(), add: parties.addRunner },
  ] as const;
  const sockets = new WebSocketServer({
    ...{ noServer: true, maxPayload: RUNNER_LIMITS.hostLineBytes, perMessageDeflate: false },
  });
  const server = createServer((_, response) => response.writeHead(426).end("A WebSocket is expected.\n"));
  server.on("upgrade", (request, stream, head) => {
    const end = ends.find(({ path }) => path === request.url);
    const refusal = judge(request, end?.token);
    if (refusal || !end) return refuse(stream, refusal ?? "404 Not Found");
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on("error", (error) => options.onLog(`${error.message}\n`));
      end.add(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [host, runner] = ends.map(({ path, token }) => ({ url: `${address}${path}`, token })) as [RelayEnd, RelayEnd];
  return {
    ...{ host, runner },
    restart: (reason) => parties.closeHosts(RESTART, reason),
    async close() {
      const closed = once(server, "close");
      parties.closeHosts(GOING_AWAY, OVER);
      parties.closeRunner(OVER);
      server.close();
      await closed;
    },
  };
}

function newToken(): string {
  return randomBytes(32).toString("hex");
}

/** Null where the connection is welcome. A browser names the page that connects, and no page has anything to do here. */
function judge({ headers }: IncomingMessage, token: string | undefined): string | null {
  if (token === undefined) return "404 Not Found";
  if (headers.origin !== undefined) return "403 Forbidden";
  const received = Buffer.from(/^Bearer ([0-9a-f]{64})$/.exec(headers.authorization ?? "")?.[1] ?? "");
  const expected = Buffer.from(token);
  return received.length === expected.length && timingSafeEqual(received, expected) ? null : "401 Unauthorized";
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
