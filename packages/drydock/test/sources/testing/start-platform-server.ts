import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface PlatformRequest {
  method: string;
  url: URL;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** Fields and files of a form, as JSON, multipart or urlencoded. */
  form(): Promise<PlatformForm>;
}

export interface PlatformForm {
  fields: Record<string, unknown>;
  files: { field: string; name: string; bytes: Buffer }[];
}

/** What is answered: JSON with a status, or bytes. `null`: the connection stays open, whoever answers it later. */
export type PlatformAnswer = {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  bytes?: Buffer;
} | null;

type Handle = (request: PlatformRequest, response: ServerResponse) => PlatformAnswer | Promise<PlatformAnswer>;

/** A server on loopback that can go down, and come back at the same address. */
export async function startPlatformServer(handle: Handle) {
  let port = 0;
  const open = () => {
    const server = createServer((incoming, response) => {
      void serve(incoming, response, handle).catch((error: Error) => {
        response.writeHead(500).end(error.message);
      });
    });
    return server;
  };
  let server = open();
  const listen = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  };
  const goDown = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  return {
    get port() {
      return port;
    },
    get server() {
      return server;
    },
    goDown,
    async comeBack() {
      server = open();
      await listen();
    },
    close: goDown,
  };
}

async function serve(incoming: IncomingMessage, response: ServerResponse, handle: Handle): Promise<void> {
  const url = new URL(incoming.url ?? "", "http://platform");
  const body = await buffer(incoming);
  const { headers, method = "" } = incoming;
  const type = headers["content-type"] ?? "";
  const answer = await handle({ method, url, headers, body, form: () => readForm(type, body) }, response);
  if (answer === null) return;
  respond(response, answer);
}

export function respond(
  response: ServerResponse,
  { status = 200, headers, json, bytes }: NonNullable<PlatformAnswer>,
): void {
  const type = bytes ? "application/octet-stream" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers }).end(bytes ?? JSON.stringify(json ?? {}));
}

async function readForm(type: string, body: Buffer): Promise<PlatformForm> {
  if (body.length === 0) return { fields: {}, files: [] };
  if (type === "") return { fields: {}, files: [] };
  if (type.startsWith("application/json")) return { fields: JSON.parse(body.toString("utf8")), files: [] };
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const fields: PlatformForm["fields"] = {};
  const files: PlatformForm["files"] = [];
  for (const [field, value] of form) {
    if (typeof value === "string") fields[field] = value;
    else files.push({ field, name: value.name, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  return { fields, files };
}
