import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { proxyEnvironment } from "../proxy-environment.ts";
import { createProxyFixture, type ProxyFixture } from "./proxy-fixture.ts";

export const run = promisify(execFile);
const kernel = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "kernel");
export const PYTHON = "/usr/bin/python3";

const DRIVER = `
import socket, sys
sys.path.insert(0, sys.argv[1])
from attend import bridge
def connect_host():
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(sys.argv[2])
    return sock
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
print(listener.getsockname()[1], flush=True)
bridge.serve(listener, connect_host, sys.argv[3].encode())
`;

const children: ChildProcess[] = [];

export async function startBridge(socketPath: string, token: string): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(PYTHON, ["-B", "-c", DRIVER, kernel, socketPath, token], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  if (child.stdout === null) throw new Error("no output");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { port: Number(line), child };
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

export const payload = randomBytes(20 * 1024 * 1024);
export const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");

// The bindings are live: a test that imports them sees what the hooks of `useBridge` set before it.
export let scratch: string;
export let fixture: ProxyFixture;
export let bridge: { port: number; child: ChildProcess };
export let environment: Record<string, string>;
export let certificate: string | null = null;
export const servers: Server[] = [];
export const ports = { http: 0, https: 0, echo: 0 };

/** A bare repository, `hello` and `big`, over plain file reads; `POST /echo` answers with what it got. */
const serve: RequestListener = async (request, response) => {
  const path = (request.url ?? "").replace(/\?.*$/, "");
  if (path === "/hello") response.end("hello from outside");
  else if (path === "/big") response.end(payload);
  else if (path === "/echo") request.pipe(response);
  else {
    const file = join(scratch, path);
    if (
      await stat(file).then(
        (found) => found.isFile(),
        () => false,
      )
    )
      createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  }
};

/** The tests of the file share one proxy, one bridge to it, and hosts that speak http, https and echo. */
export function useBridge(searchPath: string): void {
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "bridge-"));
    const http = createHttpServer(serve);
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket).on("error", () => {}));
    servers.push(http, echo);
    ports.http = await listen(http);
    ports.echo = await listen(echo);
    const [key, cert] = [join(scratch, "key.pem"), join(scratch, "cert.pem")];
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const made = run("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject]);
    if (
      await made.then(
        () => true,
        (error) => error.code !== "ENOENT",
      )
    ) {
      const https = createHttpsServer({ key: await readFile(key), cert: await readFile(cert) }, serve);
      servers.push(https);
      ports.https = await listen(https);
      certificate = cert;
    }
    const allow = Object.values(ports).map((port) => `127.0.0.1:${port}`);
    fixture = await createProxyFixture(allow);
    bridge = await startBridge(fixture.proxy.socketPath, fixture.grant.token);
    environment = {
      PATH: searchPath,
      HOME: scratch,
      ...proxyEnvironment(bridge.port, allow),
      GIT_CONFIG_NOSYSTEM: "1",
    };
  });

  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await fixture[Symbol.asyncDispose]();
    for (const server of servers) server.close();
    await rm(scratch, { recursive: true, force: true });
  });
}

/** A tunnel to the echo server through the bridge. */
export async function openTunnel(port = ports.echo): Promise<Socket> {
  const socket = connect({ port: bridge.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
  return socket;
}
