import type { IncomingMessage, Server } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import {
  BoxTerminalSize,
  explainIssues,
  HOST_LIMITS,
  SOCKET_PROTOCOL,
  SOCKET_TOKEN_PREFIX,
  SocketQuery,
} from "@drydock/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import type * as z from "zod";
import { answerError } from "../guard/answer-error.ts";
import { HttpProblem } from "../guard/http-problem.ts";
import type { ServerContext } from "../server-context.ts";
import { openChat } from "../webchat/open-chat.ts";
import { serveConversation } from "./serve-conversation.ts";
import { serveTerminal } from "./serve-terminal.ts";

const PATH = "/host/socket";
/** A shell in a box or in a session. */
const TERMINAL = /^\/(boxes|sessions)\/([\w-]{1,100})\/terminal$/;
const SCOPE = "run";
/** Messages come over it, whatever it is opened with: by a cookie, only the server's own page may open it. */
const METHOD = "POST";
/** Codes of RFC 6455. */
const GOING_AWAY = 1001;
const NOT_ALLOWED = 1008;

/** Takes WebSockets for conversations and terminals: who may come in is checked as for requests, and the page that asks as well. */
export function acceptSockets(http: Server, server: ServerContext, recheckMs: number): void {
  const sockets = new WebSocketServer({
    ...{ noServer: true, clientTracking: true, maxPayload: HOST_LIMITS.eventBytes, perMessageDeflate: false },
    // The token is never said back.
    handleProtocols: (offered) => (offered.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false),
  });
  const callers = new Map<WebSocket, Upgrade["check"]>();
  http.on("upgrade", (request, stream, head) => {
    stream.on("error", () => stream.destroy());
    try {
      const { check, attend } = readUpgrade(request, server);
      sockets.handleUpgrade(request, stream, head, (socket) => {
        callers.set(socket, check);
        socket.on("close", () => callers.delete(socket));
        watchAlive(socket, server.limits);
        void attend(socket);
      });
    } catch (error) {
      void refuse(stream, answerError(error));
    }
  });
  // A connection stays open for long: its token may have been revoked meanwhile, or its chat closed.
  const timer = setInterval(() => {
    for (const [socket, check] of callers) {
      try {
        check();
      } catch {
        socket.close(NOT_ALLOWED, "The token is no longer valid.");
      }
    }
  }, recheckMs).unref();
  server.activity.draining.addEventListener("abort", () => {
    clearInterval(timer);
    for (const socket of callers.keys()) socket.close(GOING_AWAY, "The server is closing.");
  });
}

/** A connection that may be made. */
export interface Upgrade {
  /** Throws where it may not be open any more. */
  check(): void;
  attend(socket: WebSocket): Promise<void>;
}

function readUpgrade(request: IncomingMessage, server: ServerContext): Upgrade {
  const url = new URL(request.url ?? "/", "http://here");
  const [, kind, id] = TERMINAL.exec(url.pathname) ?? [];
  const { headers, offered } = readHeaders(request);
  server.limitRate(request.socket.remoteAddress ?? "here");
  refuseWhileClosing(server);
  const chat = openChat(url.pathname, headers, offered, server);
  if (chat) return chat;
  if (url.pathname !== PATH && id === undefined) {
    throw new HttpProblem(404, {
      message: `There is no WebSocket at ${url.pathname}.`,
      hint: `Conversations are at ${PATH}?conversation_id=ID, terminals at /boxes/ID/terminal and /sessions/ID/terminal.`,
    });
  }
  checkOrigin(headers.get("origin"), server.hostnames);
  const check = () => server.authorize(headers, SCOPE, METHOD);
  check();
  if (id !== undefined) {
    const size = readQuery(BoxTerminalSize, url, `Connect to /${kind}/ID/terminal?columns=80&rows=24.`);
    const { openTerminal } = kind === "boxes" ? server.dock.boxes : server.dock.sessions;
    return {
      check,
      attend: (socket) => serveTerminal(socket, server, (handlers) => openTerminal(id, { ...size, ...handlers })),
    };
  }
  const hint = `Connect to ${PATH}?conversation_id=ID, with \`agent\` and \`after\` where you need them.`;
  const query = readQuery(SocketQuery, url, hint);
  return { check, attend: (socket) => serveConversation(socket, server, query) };
}

function readQuery<T extends z.ZodType>(schema: T, url: URL, hint: string): z.output<T> {
  const read = schema.safeParse(Object.fromEntries(url.searchParams));
  if (read.success) return read.data;
  const problems = explainIssues(read.error.issues.slice(0, 5), "the query");
  throw new HttpProblem(400, {
    message: `The request can't be read: ${problems.join("; ")}.`,
    hint,
    data: { problems },
  });
}

/** A browser sends no header of its choice with a WebSocket: there the token comes as a subprotocol. */
function readHeaders(request: IncomingMessage): { headers: Headers; offered: string[] } {
  const headers = new Headers();
  for (const name of ["authorization", "cookie", "host", "origin"] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  const token = offered.find((each) => each.startsWith(SOCKET_TOKEN_PREFIX))?.slice(SOCKET_TOKEN_PREFIX.length);
  if (token && !headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
  return { headers, offered };
}

function refuseWhileClosing({ activity }: Pick<ServerContext, "activity">): void {
  if (!activity.draining.aborted) return;
  throw new HttpProblem(503, { message: "The server is closing.", hint: "Connect again in a moment." });
}

/** Any page can open a WebSocket to any host: only pages of this server may. Programs name no origin. */
function checkOrigin(origin: string | null, hostnames: readonly string[]): void {
  if (origin === null || (URL.canParse(origin) && hostnames.includes(new URL(origin).hostname))) return;
  throw new HttpProblem(403, {
    code: "policy.network_denied",
    message: `A page of ${origin} may not use this server.`,
    hint: "Open the page by an address of this server. A program names other hosts in `hostnames` of serve().",
  });
}

async function refuse(stream: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  stream.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}\r\nConnection: close\r\n${lines.join("")}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Asks now and then whether somebody is still there. */
function watchAlive(socket: WebSocket, { heartbeatMs, stallMs }: ServerContext["limits"]): void {
  let heardMs = performance.now();
  socket.on("pong", () => {
    heardMs = performance.now();
  });
  const timer = setInterval(() => {
    if (performance.now() - heardMs > stallMs) socket.terminate();
    else socket.ping();
  }, heartbeatMs).unref();
  socket.on("close", () => clearInterval(timer));
}
