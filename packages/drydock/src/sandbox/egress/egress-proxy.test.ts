import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEgressProxy } from "./egress-proxy.ts";
import { fixture, get, port, start, useOrigin } from "./testing/origin.ts";
import { readAll, until } from "./testing/proxy-fixture.ts";

useOrigin();

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
