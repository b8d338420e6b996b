import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEgressProxy, type EgressProxy, type EgressProxyOptions } from "../egress-proxy.ts";
import type { EgressGrant } from "../egress-run.ts";

/** A proxy with one admitted run, and everything that was reported of it. For tests. */
export interface ProxyFixture extends AsyncDisposable {
  proxy: EgressProxy;
  grant: EgressGrant;
  directory: string;
  refused: Array<{ host: string; port: number; reason: string }>;
  connected: Array<{ host: string; port: number; bytesUp: number; bytesDown: number }>;
  /** A connection that has sent its opening line. */
  open: (token?: string) => Socket;
  /** Sends text on a new connection and gives all that comes back until the proxy closes it. */
  talk: (text: string | Buffer) => Promise<string>;
}

/** Exact entries, and `*.domain:port`. */
export function matchEntries(allow: readonly string[]): (host: string, port: number) => boolean {
  return (host, port) =>
    allow.some((entry) => {
      const wanted = entry.replaceAll(/[[\]]/g, "");
      return wanted === `${host}:${port}` || (wanted.startsWith("*") && `${host}:${port}`.endsWith(wanted.slice(1)));
    });
}

export async function createProxyFixture(
  allow: string[],
  options: Partial<EgressProxyOptions> = {},
): Promise<ProxyFixture> {
  const directory = await mkdtemp(join(tmpdir(), "egress-"));
  const proxy = await createEgressProxy({ directory, ...options });
  const refused: ProxyFixture["refused"] = [];
  const connected: ProxyFixture["connected"] = [];
  const grant = proxy.admit({
    allow,
    match: matchEntries(allow),
    onRefused: (host, port, reason) => refused.push({ host, port, reason }),
    onConnected: (host, port, bytesUp, bytesDown) => connected.push({ host, port, bytesUp, bytesDown }),
  });
  const open = (token = grant.token): Socket => {
    const socket = connect({ path: proxy.socketPath, allowHalfOpen: true });
    socket.on("error", () => {});
    socket.write(`DRYDOCK ${token}\n`);
    return socket;
  };
  return {
    proxy,
    grant,
    directory,
    refused,
    connected,
    open,
    talk(text) {
      const socket = open();
      socket.write(text);
      return readAll(socket);
    },
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

/** Waits for a fact that another process or socket brings about. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
