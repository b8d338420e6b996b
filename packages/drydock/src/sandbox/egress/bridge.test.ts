import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proxyEnvironment } from "./proxy-environment.ts";
import { createProxyFixture, type ProxyFixture, readAll, until } from "./proxy-fixture.ts";

const run = promisify(execFile);
const kernel = join(dirname(fileURLToPath(import.meta.url)), "..", "kernel");
const PYTHON = "/usr/bin/python3";

const DRIVER = `
import socket, sys
sys.path.insert(0, sys.argv[1])
import bridge
def connect_host():
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(sys.argv[2])
    return sock
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
print(listener.getsockname()[1], flush=True)
bridge.serve(listener, connect_host, sys.argv[3].encode())
`;

const children: ChildProcess[] = [];

async function startBridge(socketPath: string, token: string): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(PYTHON, ["-B", "-c", DRIVER, kernel, socketPath, token], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  if (child.stdout === null) throw new Error("no output");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { port: Number(line), child };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const payload = randomBytes(20 * 1024 * 1024);
const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");

let scratch: string;
let fixture: ProxyFixture;
let bridge: { port: number; child: ChildProcess };
let environment: Record<string, string>;
let certificate: string | null = null;
const servers: Server[] = [];
const ports = { http: 0, https: 0, echo: 0 };

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
    PATH: process.env.PATH ?? "",
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

/** A tunnel to the echo server through the bridge. */
async function openTunnel(port = ports.echo): Promise<Socket> {
  const socket = connect({ port: bridge.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
  return socket;
}

async function cpuTicks(pid: number | undefined): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

describe("clients that take their proxy from the environment", () => {
  it("curl, over http", async () => {
    const { stdout } = await run("curl", ["-sS", `http://127.0.0.1:${ports.http}/hello`], { env: environment });
    expect(stdout).toBe("hello from outside");
    await until(() => fixture.connected.some(({ port }) => port === ports.http));
  });

  it("curl, over https", async (context) => {
    if (certificate === null) return context.skip("openssl is missing");
    const url = `https://127.0.0.1:${ports.https}/hello`;
    const { stdout } = await run("curl", ["-sS", "--cacert", certificate, url], { env: environment });
    expect(stdout).toBe("hello from outside");
    await until(() => fixture.connected.some(({ port }) => port === ports.https));
  });

  it("curl, told what was refused and how to allow it", async () => {
    const { stdout } = await run("curl", ["-sS", "-i", "http://evil.example:8080/"], { env: environment });
    expect(stdout).toMatch(/^HTTP\/1\.1 403 /);
    expect(stdout).toContain("drydock policy allow network evil.example:8080");
    const https = run("curl", ["-sS", "https://evil.example/"], { env: environment });
    await expect(https).rejects.toMatchObject({ stderr: expect.stringContaining("403") });
    expect(fixture.refused.map(({ host, port }) => `${host}:${port}`)).toEqual([
      "evil.example:8080",
      "evil.example:443",
    ]);
  });

  it("git clone, over http", async () => {
    const work = join(scratch, "work");
    await mkdir(work);
    const git = (...args: string[]) =>
      run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: work });
    await git("init", "-q");
    await writeFile(join(work, "file.txt"), "content\n");
    await git("add", ".");
    await git("commit", "-q", "-m", "first");
    await git("clone", "-q", "--bare", work, join(scratch, "repo.git"));
    await git("-C", join(scratch, "repo.git"), "update-server-info");
    const clone = join(scratch, "clone");
    await run("git", ["clone", "-q", `http://127.0.0.1:${ports.http}/repo.git`, clone], { env: environment });
    expect(await readFile(join(clone, "file.txt"), "utf8")).toBe("content\n");
  });

  it("Python's urllib, over http and https", async (context) => {
    if (certificate === null) return context.skip("openssl is missing");
    const code = `import ssl, sys, urllib.request as u
print(u.urlopen(sys.argv[1]).read().decode())
print(u.urlopen(sys.argv[2], context=ssl.create_default_context(cafile=sys.argv[3])).read().decode())`;
    const urls = [`http://127.0.0.1:${ports.http}/hello`, `https://127.0.0.1:${ports.https}/hello`];
    const { stdout } = await run(PYTHON, ["-c", code, ...urls, certificate], { env: environment });
    expect(stdout).toBe("hello from outside\nhello from outside\n");
  });

  it("Node's fetch, over http and https", async (context) => {
    if (certificate === null) return context.skip("openssl is missing");
    const code = `for (const url of process.argv.slice(1)) console.log(await (await fetch(url)).text())`;
    const urls = [`http://127.0.0.1:${ports.http}/hello`, `https://127.0.0.1:${ports.https}/hello`];
    const before = fixture.connected.length;
    const env = { ...environment, NODE_EXTRA_CA_CERTS: certificate };
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code, ...urls], { env });
    expect(stdout).toBe("hello from outside\nhello from outside\n");
    await until(() => fixture.connected.length >= before + 2);
  });
});

describe("bytes", () => {
  it("20 MB arrive intact through a tunnel, both ways at once", async () => {
    const socket = await openTunnel();
    const hash = createHash("sha256");
    let received = 0;
    socket.on("data", (chunk: Buffer) => {
      hash.update(chunk);
      received += chunk.length;
    });
    socket.end(payload);
    await once(socket, "end");
    expect(received).toBe(payload.length);
    expect(hash.digest("hex")).toBe(sha256(payload));
    const total = payload.length;
    await until(() => fixture.connected.some(({ bytesUp, bytesDown }) => bytesUp === total && bytesDown === total));
  });

  it("20 MB arrive intact over forwarded http, up and down", async () => {
    const file = join(scratch, "payload");
    await writeFile(file, payload);
    const url = `http://127.0.0.1:${ports.http}/echo`;
    const out = join(scratch, "echoed");
    await run("curl", ["-sS", "--data-binary", `@${file}`, "-o", out, url], { env: environment });
    expect(sha256(await readFile(out))).toBe(sha256(payload));
  });

  it("a reader that stops makes the writer stop, and nothing is lost", async () => {
    let held: Socket | undefined;
    const slow = createServer((socket) => {
      held = socket.pause().on("error", () => {});
    });
    servers.push(slow);
    const slowPort = await listen(slow);
    const own = await createProxyFixture([`127.0.0.1:${slowPort}`]);
    const ownBridge = await startBridge(own.proxy.socketPath, own.grant.token);
    const socket = connect(ownBridge.port, "127.0.0.1");
    socket.write(`CONNECT 127.0.0.1:${slowPort} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "data");
    socket.end(payload);
    await until(() => held !== undefined);
    // All buffers on the way are full when nothing moves any more.
    let before = -1;
    while (before !== socket.bytesWritten - socket.writableLength) {
      before = socket.bytesWritten - socket.writableLength;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(socket.writableLength).toBeGreaterThan(0);
    const memory = await readFile(`/proc/${ownBridge.child.pid}/status`, "utf8");
    expect(Number(/VmRSS:\s+(\d+)/.exec(memory)?.[1])).toBeLessThan(30_000);
    const hash = createHash("sha256");
    held?.on("data", (chunk: Buffer) => hash.update(chunk));
    held?.resume();
    await once(held as Socket, "end");
    expect(hash.digest("hex")).toBe(sha256(payload));
    await own[Symbol.asyncDispose]();
  });
});

describe("a bridge that is treated badly", () => {
  it("survives clients that vanish, reset and talk nonsense", async () => {
    for (let count = 0; count < 40; count += 1) {
      const socket = connect(bridge.port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      if (count % 4 === 0) socket.destroy();
      else if (count % 4 === 1) socket.resetAndDestroy();
      else if (count % 4 === 2) socket.end("nonsense\r\n\r\n");
      else socket.write(randomBytes(5000), () => socket.resetAndDestroy());
    }
    const { stdout } = await run("curl", ["-sS", `http://127.0.0.1:${ports.http}/hello`], { env: environment });
    expect(stdout).toBe("hello from outside");
    expect(bridge.child.exitCode).toBeNull();
  });

  it("carries 64 connections; the next waits its turn and is then served", async () => {
    const held = await Promise.all(Array.from({ length: 64 }, () => openTunnel()));
    const late = connect(bridge.port, "127.0.0.1");
    late.write(`GET http://127.0.0.1:${ports.http}/hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const answer = readAll(late);
    const echoed = once(held[63] as Socket, "data");
    held[63]?.write("still alive");
    expect(String((await echoed)[0])).toBe("still alive");
    expect(late.bytesRead).toBe(0);
    for (const socket of held) socket.destroy();
    expect(await answer).toContain("hello from outside");
  });

  it("closes clients while the proxy can't be reached, stays calm, and serves when it can", async () => {
    const own = await createProxyFixture([`127.0.0.1:${ports.http}`]);
    const link = join(own.directory, "later.sock");
    const ownBridge = await startBridge(link, own.grant.token);
    expect(await readAll(connect(ownBridge.port, "127.0.0.1"))).toBe("");
    await symlink(own.proxy.socketPath, link);
    const socket = connect(ownBridge.port, "127.0.0.1");
    socket.write(`GET http://127.0.0.1:${ports.http}/hello HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(await readAll(socket)).toContain("hello from outside");
    const before = await cpuTicks(ownBridge.child.pid);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await cpuTicks(ownBridge.child.pid)) - before).toBeLessThan(10);
    await own[Symbol.asyncDispose]();
  });

  it("ends the client's connection when the run is revoked", async () => {
    const own = await createProxyFixture([`127.0.0.1:${ports.echo}`]);
    const ownBridge = await startBridge(own.proxy.socketPath, own.grant.token);
    const socket = connect(ownBridge.port, "127.0.0.1");
    socket.write(`CONNECT 127.0.0.1:${ports.echo} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "data");
    const ended = readAll(socket);
    own.grant.revoke();
    await ended;
    expect(own.connected).toHaveLength(1);
    await own[Symbol.asyncDispose]();
  });
});
