import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { openTarget, type ProxyAnswer, type TargetOpening } from "./open-target.ts";

/**
 * CONNECT: bytes both ways until both sides are done, or the idle limit that the client's socket carries.
 *
 * What travels inside is not looked at, and mostly can't be: it is TLS. The policy therefore admits a host and port,
 * not what that host does. A front that serves many sites from one address (a CDN) may serve another of its sites to a
 * client that names it inside TLS; a policy that allows such a front allows every site behind it. The name inside TLS is
 * never used to decide, so that it can't be used to trick the decision either.
 */
export async function serveTunnel(client: Duplex, head: Buffer, opening: TargetOpening): Promise<void> {
  // At once: a client that has closed its half already would have ended by the time the decision is made.
  if (head.length > 0) client.unshift(head);
  const opened = await openTarget(opening);
  if (opened.kind === "answer") {
    writeAnswer(client, opened.answer);
    return;
  }
  const { upstream } = opened;
  if (client.destroyed) {
    upstream.destroy();
    return;
  }
  client.once("close", () => upstream.destroy());
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  carry(client, upstream);
}

/** One pipeline each way: either side may close its half while the other still sends. An error ends both. */
function carry(client: Duplex, upstream: Socket): void {
  let open = 2;
  const ended = (error: Error | null | undefined): void => {
    open -= 1;
    if (error || open === 0) {
      client.destroy();
      upstream.destroy();
    }
  };
  // Two pipelines listen on each stream, which is more than Node's guess at a leak, and stays at that.
  client.setMaxListeners(20);
  upstream.setMaxListeners(20);
  pipeline(client, upstream, ended);
  pipeline(upstream, client, ended);
}

function writeAnswer(client: Duplex, { status, headers, body }: ProxyAnswer): void {
  if (client.destroyed) return;
  const fields = { ...headers, "Content-Type": "text/plain; charset=utf-8", Connection: "close" };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  client.resume();
  client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}${length}\r\n${body}`);
}
