import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One request as a service gets it. `path` is without the service's own prefix. */
export interface ServiceRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  raw: string;
  /** The body as JSON; empty where it is none. */
  body: Record<string, unknown>;
}

/** What the service does: what it returns is JSON; `null`: it never answers. */
export type Replay = (request: ServiceRequest, answer: ServiceResponse) => unknown;

export interface ServiceResponse {
  /** Answers with a status and JSON. */
  status(code: number, body: unknown): symbol;
  redirect(location: string): symbol;
  /** Server-sent events, each with its name where it has one. */
  events(...events: (unknown | readonly [name: string, data: unknown])[]): symbol;
  /** Text as it is, in two pieces that are cut anywhere. */
  stream(text: string, type?: string): symbol;
}

const ANSWERED = Symbol("answered");

export interface ServiceServer {
  port: number;
  requests: (ServiceRequest & { service: string })[];
  close(): Promise<void>;
}

/** A server on loopback that replays services, each under a path of its name. */
export async function startServiceServer(replays: Readonly<Record<string, Replay>>): Promise<ServiceServer> {
  const requests: ServiceServer["requests"] = [];
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? "", "http://service");
    const [, service = "", ...rest] = url.pathname.split("/");
    const raw = await text(incoming);
    const request = {
      ...{ service, method: incoming.method ?? "", path: `/${rest.join("/")}`, query: url.searchParams, raw },
      ...{ headers: incoming.headers, body: parse(raw) },
    };
    requests.push(request);
    const result = replays[service]?.(request, respond(response)) ?? null;
    if (result === ANSWERED || result === null) return;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(response: ServerResponse): ServiceResponse {
  const stream = (whole: string, type = "text/event-stream") => {
    response.writeHead(200, { "content-type": type });
    const middle = Math.floor(whole.length / 2);
    response.write(whole.slice(0, middle));
    setTimeout(() => response.end(whole.slice(middle)), 5);
    return ANSWERED;
  };
  return {
    stream,
    status(code, body) {
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
      return ANSWERED;
    },
    redirect(location) {
      response.writeHead(302, { location }).end();
      return ANSWERED;
    },
    events: (...events) => stream(events.map(writeEvent).join("")),
  };
}

function writeEvent(event: unknown): string {
  const [name, data] = Array.isArray(event) ? (event as [string, unknown]) : [null, event];
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === null ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

function parse(raw: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(raw)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
