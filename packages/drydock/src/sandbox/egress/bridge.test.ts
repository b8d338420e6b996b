import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  bridge,
  environment,
  fixture,
  listen,
  openTunnel,
  payload,
  ports,
  run,
  scratch,
  servers,
  sha256,
  startBridge,
  useBridge,
} from "./testing/bridge.ts";
import { createProxyFixture, readAll, until } from "./testing/proxy-fixture.ts";

useBridge(process.env.PATH ?? "");

async function cpuTicks(pid: number | undefined): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

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
