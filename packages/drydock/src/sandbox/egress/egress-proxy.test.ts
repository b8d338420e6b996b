import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEgressProxy } from "./egress-proxy.ts";
import { createProxyFixture, type ProxyFixture, readAll, until } from "./proxy-fixture.ts";

let origin: Server;
let port: number;
let seen: Array<{ url: string; headers: IncomingMessage["headers"]; raw: string[]; body: string }>;
let fixture: ProxyFixture;

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

async function start(options: Parameters<typeof createProxyFixture>[1] = {}, allow = [`127.0.0.1:${port}`]) {
  fixture = await createProxyFixture(allow, options);
  return fixture;
}

const get = (authority: string, more = "", close = true): string =>
  `GET http://${authority}/x?y=1 HTTP/1.1\r\nHost: ${authority}\r\n${more}${close ? "Connection: close\r\n" : ""}\r\n`;

describe("the opening line", () => {
  it.each([
    ["an unknown token", "DRYDOCK nobody\n"],
    ["no token", "DRYDOCK \n"],
    ["HTTP at once", "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n"],
    ["a line without end", "DRYDOCK ".padEnd(500, "a")],
  ])("%s closes the connection without a word", async (_name, line) => {
    await start();
    const socket = connect(fixture.proxy.socketPath);
    socket.on("error", () => {});
    socket.write(line);
    expect(await readAll(socket)).toBe("");
  });

  it("that does not come in time closes the connection", async () => {
    await start({ limits: { openingMs: 30 } });
    expect(await readAll(connect(fixture.proxy.socketPath))).toBe("");
  });

  it("may come in pieces, and together with the first request", async () => {
    await start();
    const socket = connect(fixture.proxy.socketPath);
    for (const piece of ["DRY", "DOCK ", fixture.grant.token, `\n${get(`127.0.0.1:${port}`).slice(0, 9)}`]) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.write(get(`127.0.0.1:${port}`).slice(9));
    expect(await readAll(socket)).toContain("origin GET /x?y=1");
  });
});

describe("forwarding", () => {
  it("carries a request and its answer, and reports the connection", async () => {
    await start();
    const answer = await fixture.talk(get(`127.0.0.1:${port}`));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain("origin GET /x?y=1");
    expect(answer.match(/set-cookie/gi)).toHaveLength(2);
    expect(answer).not.toMatch(/x-private-hop/i);
    await until(() => fixture.connected.length === 1);
    expect(fixture.connected[0]).toMatchObject({ host: "127.0.0.1", port });
    expect(fixture.connected[0]?.bytesUp).toBeGreaterThan(20);
    expect(fixture.connected[0]?.bytesDown).toBeGreaterThan(20);
  });

  it("goes by the request line and rewrites a Host header that says otherwise", async () => {
    await start();
    const target = `127.0.0.1:${port}`;
    await fixture.talk(
      `GET http://${target}/ HTTP/1.1\r\nHost: evil.org\r\nHost: evil2.org\r\nConnection: close\r\n\r\n`,
    );
    expect(seen[0]?.headers.host).toBe(target);
    expect(seen[0]?.raw.join(" ")).not.toContain("evil");
  });

  it("does not let an allowed Host header excuse a refused request line", async () => {
    await start();
    const answer = await fixture.talk(
      `GET http://evil.org/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(seen).toEqual([]);
  });

  it("strips what concerns one hop only", async () => {
    await start();
    const more =
      "Proxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nUpgrade: h2c\r\n" +
      "X-Kept: 1\r\nX-Hop: 1\r\nConnection: x-hop\r\n";
    await fixture.talk(get(`127.0.0.1:${port}`, more));
    const headers = seen[0]?.headers;
    expect(headers?.["x-kept"]).toBe("1");
    for (const name of ["proxy-authorization", "proxy-connection", "te", "upgrade", "x-hop"]) {
      expect(headers?.[name]).toBeUndefined();
    }
  });

  it("carries bodies with a length and in chunks", async () => {
    await start();
    const head = `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    await fixture.talk(`${head}Content-Length: 5\r\n\r\nhello`);
    await fixture.talk(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`);
    expect(seen.map(({ body }) => body)).toEqual(["hello", "hello world"]);
  });

  it("keeps a body's length where Connection tries to take it away", async () => {
    await start();
    const inner = "GET /smuggled HTTP/1.1\r\n\r\n";
    const more = `Content-Length: ${inner.length}\r\nConnection: content-length, close\r\n`;
    await fixture.talk(`${get(`127.0.0.1:${port}`, more, false)}${inner}`);
    expect(seen.map(({ url }) => url)).toEqual(["/x?y=1"]);
  });

  it("checks each request of a kept connection for itself", async () => {
    await start();
    const answers = await fixture.talk(
      get(`127.0.0.1:${port}`, "", false) + get("evil.org:80", "", false) + get(`127.0.0.1:${port}`),
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 403", "HTTP/1.1 200"]);
    expect(fixture.refused).toMatchObject([{ host: "evil.org", port: 80 }]);
    expect(seen).toHaveLength(2);
  });

  it("ends a connection that sends too many requests ahead", async () => {
    await start({ limits: { pipelinedRequests: 4 } });
    await fixture.talk(get(`127.0.0.1:${port}`, "", false).repeat(200));
    expect(seen.length).toBeLessThan(200);
  });

  it("says when the host can't be reached", async () => {
    const spare = createServer().listen(0, "127.0.0.1");
    await once(spare, "listening");
    const closedPort = (spare.address() as AddressInfo).port;
    spare.close();
    await start({}, [`127.0.0.1:${closedPort}`]);
    const answer = await fixture.talk(get(`127.0.0.1:${closedPort}`));
    expect(answer).toMatch(/^HTTP\/1\.1 502 /);
    expect(answer).toContain("ECONNREFUSED");
  });

  it("breaks off towards the client when the host breaks off in the middle of a body", async () => {
    const liar = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
    }).listen(0, "127.0.0.1");
    await once(liar, "listening");
    const liarPort = (liar.address() as AddressInfo).port;
    await start({}, [`127.0.0.1:${liarPort}`]);
    const answer = await fixture.talk(get(`127.0.0.1:${liarPort}`, "", false));
    expect(answer).toContain("Content-Length: 100");
    expect(answer.endsWith("half")).toBe(true);
    liar.close();
  });

  it.each(["/path", "*", "https://127.0.0.1/", "ftp://127.0.0.1/", "http:/127.0.0.1/"])(
    "answers 400 to a request line that is no proxy request: %s",
    async (url) => {
      await start();
      const answer = await fixture.talk(`OPTIONS ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    },
  );
});

describe("refusals", () => {
  it.each([
    ["GET", () => get("evil.org:8080")],
    ["CONNECT", () => "CONNECT evil.org:8080 HTTP/1.1\r\nHost: evil.org:8080\r\n\r\n"],
  ])("of %s say what was refused and how to allow it, and are reported", async (_method, text) => {
    await start();
    const answer = await fixture.talk(text());
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toMatch(/x-drydock-refused: evil\.org:8080\r\n/i);
    expect(answer).toContain("drydock policy allow network evil.org:8080");
    expect(fixture.refused).toEqual([{ host: "evil.org", port: 8080, reason: expect.stringContaining("policy") }]);
  });

  it("the right host on another port is refused", async () => {
    await start();
    expect(await fixture.talk(get(`127.0.0.1:${port + 1}`))).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("of a host that is shell code put no such code into a command", async () => {
    await start();
    const answer = await fixture.talk("CONNECT $(reboot):80 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 (400|403) /);
    expect(answer).not.toContain("policy allow network");
  });

  it("of a name that resolves to this machine name the address", async () => {
    await start({ resolveHost: async () => ["127.0.0.1"] }, [`rebound.example:${port}`]);
    const answer = await fixture.talk(`CONNECT rebound.example:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain(`drydock policy allow network 127.0.0.1:${port}`);
    expect(fixture.refused).toMatchObject([{ host: "rebound.example", port }]);
  });

  it("a name is resolved once: the address that was vetted is the one connected to", async () => {
    let asked = 0;
    const resolveHost = async (): Promise<string[]> => {
      asked += 1;
      return asked === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
    };
    await start({ resolveHost }, [`db.corp:${port}`, `127.0.0.1:${port}`]);
    expect(await fixture.talk(get(`db.corp:${port}`))).toContain("origin GET");
    expect(asked).toBe(1);
  });

  it("the second of a name's addresses is tried when the first does not answer", async () => {
    await start({ resolveHost: async () => ["::1", "127.0.0.1"] }, [`localhost:${port}`]);
    expect(await fixture.talk(get(`localhost:${port}`))).toContain("origin GET");
  });
});

describe("requests made to be read in two ways", () => {
  const head = (): string => `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n`;
  it.each([
    ["both lengths", () => `${head()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["two lengths", () => `${head()}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
    ["a disguised encoding", () => `${head()}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ["an encoding after chunked", () => `${head()}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ["a bare line feed after a header", () => `${head()}X-A: b\nX-C: d\r\n\r\n`],
    ["a bare line feed after the request line", () => `GET http://127.0.0.1:${port}/ HTTP/1.1\nHost: x\r\n\r\n`],
    ["a bare line feed at the end of the head", () => `${head()}X-A: b\r\n\n`],
    ["a folded header", () => `${head()}X-A: b\r\n c\r\n\r\n`],
    ["a folded encoding", () => `${head()}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
    ["a space before the colon", () => `${head()}Content-Length : 5\r\n\r\nhello`],
    ["a zero byte in a header", () => `${head()}X-A: b\0c\r\n\r\n`],
    ["a signed length", () => `${head()}Content-Length: +5\r\n\r\nhello`],
    ["a space in the host", () => `GET http://127.0.0.1 evil.org:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])("%s: 400, and nothing reaches the host", async (_name, text) => {
    await start();
    expect(await fixture.talk(text())).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });
});

describe("limits", () => {
  it("a head over the size limit is answered 431", async () => {
    await start();
    const answer = await fixture.talk(get(`127.0.0.1:${port}`, `X-Big: ${"a".repeat(40_000)}\r\n`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(await fixture.talk(get(`127.0.0.1:${port}`, `X-Fits: ${"a".repeat(12_000)}\r\n`))).toContain("200 OK");
  });

  it("a head that never ends is cut off, on the first request and on a later one", async () => {
    await start({ limits: { headersMs: 60 } });
    for (const before of ["", get(`127.0.0.1:${port}`, "", false)]) {
      const socket = fixture.open();
      socket.write(`${before}GET http://127.0.0.1:${port}/ HTTP/1.1\r\n`);
      const drip = setInterval(() => socket.write("X-A: b\r\n"), 10);
      const answer = await readAll(socket);
      clearInterval(drip);
      expect(answer.includes("origin")).toBe(before !== "");
    }
  });

  it("a silent tunnel is ended", async () => {
    await start({ limits: { idleMs: 50 } });
    const answer = await fixture.talk(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toContain("200 Connection Established");
    await until(() => fixture.connected.length === 1);
  });

  it("a run has so many connections and no more, and gets new ones when old ones end", async () => {
    await start({ limits: { connectionsPerRun: 3 } });
    const held: Socket[] = [];
    for (let count = 0; count < 3; count += 1) {
      const socket = fixture.open();
      socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, "data");
      held.push(socket);
    }
    expect(await fixture.talk(get(`127.0.0.1:${port}`))).toMatch(/^HTTP\/1\.1 503 /);
    held[0]?.destroy();
    await until(() => fixture.connected.length === 1);
    expect(await fixture.talk(get(`127.0.0.1:${port}`))).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of held) socket.destroy();
  });
});

describe("the end of a run", () => {
  it("ends its connections, its token, and is the last that is heard of it", async () => {
    await start();
    const tunnel = fixture.open();
    tunnel.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(tunnel, "data");
    tunnel.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(tunnel, "data");
    const closed = readAll(tunnel);
    fixture.grant.revoke();
    expect(fixture.connected).toMatchObject([{ host: "127.0.0.1", port, bytesUp: 27 }]);
    expect(fixture.connected[0]?.bytesDown).toBeGreaterThan(0);
    await closed;
    expect(await fixture.talk(get("evil.org:80"))).toBe("");
    expect(fixture.connected).toHaveLength(1);
    expect(fixture.refused).toEqual([]);
  });

  it("one run's end leaves another's connections alone", async () => {
    await start();
    const other = fixture.proxy.admit({
      allow: [],
      match: () => false,
      onRefused: () => {},
      onConnected: () => {},
    });
    const socket = fixture.open();
    other.revoke();
    socket.write(get(`127.0.0.1:${port}`));
    expect(await readAll(socket)).toContain("origin GET");
  });

  it("one run's token does not carry another run's rights", async () => {
    await start();
    const reports: string[] = [];
    const other = fixture.proxy.admit({
      allow: [],
      match: () => false,
      onRefused: (host) => reports.push(host),
      onConnected: () => {},
    });
    const socket = fixture.open(other.token);
    socket.write(get(`127.0.0.1:${port}`));
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 403 /);
    expect(reports).toEqual(["127.0.0.1"]);
    expect(fixture.refused).toEqual([]);
  });
});

describe("tunnels", () => {
  it("carry the answer after the client has closed its half", async () => {
    const size = 3_000_000;
    const late = createServer({ allowHalfOpen: true }, (socket) => {
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
      });
      socket.on("end", () => socket.end(received + "z".repeat(size)));
    }).listen(0, "127.0.0.1");
    await once(late, "listening");
    const latePort = (late.address() as AddressInfo).port;
    await start({}, [`127.0.0.1:${latePort}`]);
    const socket = fixture.open();
    socket.end(`CONNECT 127.0.0.1:${latePort} HTTP/1.1\r\nHost: x\r\n\r\nearly`);
    const answer = await readAll(socket);
    expect(answer).toContain("\r\n\r\nearlyzzz");
    expect(answer.length).toBeGreaterThan(size);
    await until(() => fixture.connected.length === 1);
    expect(fixture.connected[0]).toMatchObject({ bytesUp: 5, bytesDown: size + 5 });
    late.close();
  });

  it("are not opened while an answer is still owed on the connection", async () => {
    await start();
    const connectLine = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(await fixture.talk(get(`127.0.0.1:${port}`, "", false) + connectLine)).not.toContain("Established");
  });
});

describe("the socket", () => {
  it("and its directory are their owner's alone, and it is gone after close", async () => {
    await start();
    const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
    expect(await mode(fixture.directory)).toBe(0o700);
    expect(await mode(fixture.proxy.socketPath)).toBe(0o600);
    await fixture.proxy.close();
    expect(await readdir(fixture.directory)).toEqual([]);
  });

  it("of a dock that was killed is cleared away, one of a living dock is not", async () => {
    await start();
    await writeFile(join(fixture.directory, "egress-4194303-00.sock"), "");
    const second = await createEgressProxy({ directory: fixture.directory });
    expect(await readdir(fixture.directory)).toHaveLength(2);
    await second.close();
    expect(await fixture.talk(get(`127.0.0.1:${port}`))).toContain("origin GET");
  });

  it("with a path that the kernel can't hold is a clear error", async () => {
    await start();
    const socketPath = join(fixture.directory, `${"a".repeat(120)}.sock`);
    const made = createEgressProxy({ directory: fixture.directory, socketPath });
    await expect(made).rejects.toMatchObject({ code: "sandbox.unavailable", hint: expect.stringContaining("shorter") });
  });
});
