import { describe, expect, it } from "vitest";
import { fixture, get, port, start, useOrigin } from "./testing/origin.ts";

useOrigin();

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
    let lookups = 0;
    const resolveHost = async (): Promise<string[]> => {
      lookups += 1;
      return lookups === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
    };
    await start({ resolveHost }, [`db.corp:${port}`, `127.0.0.1:${port}`]);
    expect(await fixture.talk(get(`db.corp:${port}`))).toContain("origin GET");
    expect(lookups).toBe(1);
  });

  it("the second of a name's addresses is tried when the first does not answer", async () => {
    await start({ resolveHost: async () => ["::1", "127.0.0.1"] }, [`localhost:${port}`]);
    expect(await fixture.talk(get(`localhost:${port}`))).toContain("origin GET");
  });
});
