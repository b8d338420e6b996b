import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach } from "vitest";
import { createProxyFixture, type ProxyFixture } from "./proxy-fixture.ts";

// The bindings are live: a test that imports them sees what the hooks of `useOrigin` set before it.
let origin: Server;
export let port: number;
export let seen: Array<{ url: string; headers: IncomingMessage["headers"]; raw: string[]; body: string }>;
export let fixture: ProxyFixture;

/** Each test of the file gets a host of its own on `port`, which notes in `seen` what reached it. */
export function useOrigin(): void {
  beforeEach(async () => {
    seen = [];
    origin = createHttpServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      seen.push({ url: request.url ?? "", headers: request.headers, raw: request.rawHeaders, body });
      response.setHeader("Connection", "X-Private-Hop");
      response.setHeader("X-Private-Hop", "1");
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.end(`origin ${request.method} ${request.url}`);
    }).listen(0, "127.0.0.1");
    await once(origin, "listening");
    port = (origin.address() as AddressInfo).port;
  });

  afterEach(async () => {
    await fixture?.[Symbol.asyncDispose]();
    origin.closeAllConnections();
    origin.close();
  });
}

/** A proxy that allows the host, or what is given, as `fixture`. */
export async function start(options: Parameters<typeof createProxyFixture>[1] = {}, allow = [`127.0.0.1:${port}`]) {
  fixture = await createProxyFixture(allow, options);
  return fixture;
}

export const get = (authority: string, more = "", close = true): string =>
  `GET http://${authority}/x?y=1 HTTP/1.1\r\nHost: ${authority}\r\n${more}${close ? "Connection: close\r\n" : ""}\r\n`;
