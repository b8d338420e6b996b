import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DrydockServer, serve } from "drydock";
import { type Client, createClient, DrydockError, type StreamedEvent } from "drydock/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const home = mkdtempSync(join(tmpdir(), "drydock-client-"));
let server: DrydockServer;
let client: Client;

beforeAll(async () => {
  server = await serve([], { port: 0, home, warm: 1 });
  client = createClient({ baseUrl: server.url, token: server.token ?? "" });
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

describe("the client", () => {
  it("runs code, and shows its output while it comes", async () => {
    const done = await client.execute({ language: "python", code: "print(6 * 7)\n'x'" });
    expect([done.ok, done.stdout, done.result]).toEqual([true, "42\n", "x"]);
    const events: StreamedEvent[] = [];
    const streamed = await client.execute({ code: "print(1)" }, { onEvent: (event) => events.push(event) });
    expect(streamed.stdout).toBe("1\n");
    expect(events).toEqual([{ event: "output", data: { stream: "stdout", text: "1\n" } }]);
  });

  it("throws the server's own errors, with their codes", async () => {
    const refused = client.runs.get("run_none");
    await expect(refused).rejects.toBeInstanceOf(DrydockError);
    await expect(refused).rejects.toMatchObject({ code: "run.not_found", data: { status: 404 } });
    const stranger = createClient({ baseUrl: server.url, token: "wrong" });
    await expect(stranger.sessions.list()).rejects.toMatchObject({ data: { status: 401 } });
    const lost = createClient({ baseUrl: "http://127.0.0.1:9" });
    await expect(lost.health()).rejects.toMatchObject({ hint: expect.stringContaining("drydock serve") });
  });

  it("follows a run over connections that break, and reads what it left", async () => {
    let opened = 0;
    const breaking: typeof fetch = async (...given) => {
      const response = await fetch(...given);
      if (response.body === null || !String(given[0]).endsWith("/events") || ++opened > 2) return response;
      const one = response.body.getReader();
      const first = await one.read();
      await one.cancel();
      return new Response(first.value, response);
    };
    const shaky = createClient({ baseUrl: server.url, token: server.token ?? "", fetch: breaking });
    const code = "import time; time.sleep(0.4); open('a.bin', 'wb').write(b'0123456789')";
    const run = await shaky.runs.create({ kind: "exec", code }, { idempotencyKey: "once" });
    expect((await shaky.runs.create({ kind: "exec", code }, { idempotencyKey: "once" })).id).toBe(run.id);
    const numbers: number[] = [];
    for await (const event of shaky.runs.follow(run.id)) numbers.push(event.seq);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect((await shaky.runs.get(run.id)).status).toBe("succeeded");
    const { artifacts } = await shaky.runs.artifacts(run.id);
    const id = artifacts[0]?.id ?? "";
    expect(Buffer.from(await shaky.readArtifact(id)).toString()).toBe("0123456789");
    expect(Buffer.from(await shaky.readArtifact(id, { start: 2, end: 5 })).toString()).toBe("234");
  });

  it("keeps a session, and asks about policies", async () => {
    const { sessionId } = await client.sessions.open();
    await client.sessions.exec(sessionId, { code: "x = 1" });
    expect((await client.sessions.exec(sessionId, { code: "x + 1" })).result).toBe(2);
    await client.sessions.close(sessionId);
    const checked = await client.policies.check({ policy: { limits: { memoryMb: 10 } } });
    expect([checked.ok, checked.effective?.limits.memoryMb]).toEqual([true, 10]);
  });
});
