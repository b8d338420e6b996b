import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { fixture, get, port, seen, start, useOrigin } from "./testing/origin.ts";
import { until } from "./testing/proxy-fixture.ts";

useOrigin();

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
