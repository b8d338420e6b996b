import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createDock, type Dock, loadToolHost } from "../../app/index.ts";
import { createAgents, loadMcpTest, mcpServer, type ToolContext, type ToolHost } from "../../tasks/index.ts";
import { createMcpEndpoint } from "./index.ts";
import { callFunction } from "./testing/call-function.ts";
import { type Listening, listen } from "./testing/listen.ts";
import { serveSse } from "./testing/serve-sse.ts";

let home = "";
let dock: Dock;
let host: ToolHost;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-mcp-addresses-"));
  dock = await createDock({ home, warm: 1 });
  host = (await loadToolHost()).createToolHost(dock);
});
afterAll(async () => {
  await dock.close();
  await rm(home, { recursive: true, force: true });
});
const context = (): ToolContext => ({ signal: new AbortController().signal, runId: "run_test", host });

/** Answers every request in one way; gives its address. */
async function serve(answer: Parameters<typeof createServer>[1]): Promise<{ server: Server; url: string }> {
  const server = createServer(answer as never).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe("a server at an address", () => {
  let server: Listening;
  const allow = (...hosts: string[]) =>
    writeFile(
      join(home, "policy.yaml"),
      JSON.stringify({ version: 1, network: { allow: { default: [], max: hosts } } }),
    );
  beforeAll(async () => {
    server = await listen(createMcpEndpoint(dock));
  });
  afterEach(() => rm(join(home, "policy.yaml"), { force: true }));
  afterAll(() => server.close());

  it("is refused while the policy does not allow its host", async () => {
    const { testMcpServer } = await loadMcpTest();
    const refused = testMcpServer(host, { name: "own", url: server.url }, new AbortController().signal);
    await expect(refused).rejects.toMatchObject({ code: "policy.network_denied" });
  });

  it("works where its host is allowed, and a call's policy can take that back", async () => {
    await allow(new URL(server.url).host);
    const { tools, close } = await mcpServer({ name: "own", url: server.url, tools: ["execute_code"] }).open(context());
    expect(await callFunction(tools, context(), "own__execute_code", { code: "6 * 7" })).toContain("42");
    await expect(callFunction(tools, context(), "own__execute_code", { code: "1/0" })).rejects.toThrow(
      "division by zero",
    );
    await close();
    const { createToolHost } = await loadToolHost();
    const narrowed = createToolHost(dock, { policy: { network: { allow: ["example.org:443"] } } });
    const refused = mcpServer({ name: "own", url: server.url }).open({ ...context(), host: narrowed });
    await expect(refused).rejects.toMatchObject({ code: "policy.network_denied" });
  });

  it("serves an agent, within the policy of the agent's call", async () => {
    const { host: name } = new URL(server.url);
    await allow(name);
    const toolCalls = [{ name: "own__execute_code", arguments: { code: "6 * 7" } }];
    await writeFile(join(home, "script.json"), JSON.stringify({ answers: [{ toolCalls }, { text: "42" }] }));
    const { agent, agents } = createAgents(() => createDock({ home, warm: 0 }));
    agents.use(dock);
    const clerk = agent({
      name: "clerk",
      description: "Calculates",
      input: z.object({ task: z.string() }),
      prompt: "{{ task }}",
      model: `scripted:${join(home, "script.json")}`,
      tools: [mcpServer({ name: "own", url: server.url, tools: ["execute_*"] })],
    });
    await expect(clerk({ task: "6 * 7?" }, { policy: { network: { allow: [] } } })).rejects.toMatchObject({
      code: "policy.network_denied",
    });
    const { output, toolCalls: made } = await clerk.run({ task: "6 * 7?" }, { policy: { network: { allow: [name] } } });
    expect(output).toBe("42");
    expect(made).toMatchObject([{ failed: false, text: expect.stringContaining("result: 42") }]);
  });

  it("of the oldest kind is understood too", async () => {
    const old = await serveSse();
    await allow(new URL(old.url).host);
    const { tools, close } = await mcpServer({ name: "old", url: old.url }).open(context());
    expect(await callFunction(tools, context(), "old__echo", { text: "hello" })).toBe("echo: hello");
    await close();
    await old.close();
  });

  it("can't send the host on to where the policy does not let it go", async () => {
    let reached = 0;
    const inside = await serve((_request, response) => {
      reached++;
      response.end("{}");
    });
    const elsewhere = await serveSse(inside.url);
    const redirecting = await serve((_request, response) => {
      response.writeHead(307, { location: inside.url }).end();
    });
    await allow(new URL(elsewhere.url).host, new URL(redirecting.url).host);
    for (const spec of [{ url: elsewhere.url, transport: "sse" as const }, { url: redirecting.url }]) {
      await expect(mcpServer({ name: "sly", ...spec, startSeconds: 3 }).open(context())).rejects.toThrow("sly");
    }
    expect(reached).toBe(0);
    await elsewhere.close();
    for (const { server: one } of [inside, redirecting]) {
      one.closeAllConnections();
      one.close();
    }
  });

  it("that is not there is told", async () => {
    await allow("127.0.0.1:1");
    const nobody = mcpServer({ name: "none", url: "http://127.0.0.1:1/mcp" }).open(context());
    await expect(nobody).rejects.toMatchObject({ code: "code.exception", message: expect.stringContaining("none") });
  });
});
