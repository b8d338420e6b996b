import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { fixture, get, port, start, useOrigin } from "./testing/origin.ts";
import { readAll, until } from "./testing/proxy-fixture.ts";

useOrigin();

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
