import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, type CallerAgent, openCaller } from "./testing/open-caller.ts";

interface Access {
  runId: string;
  url: string;
  token: string;
}

let caller: Caller;
let agent: CallerAgent;
let directory: string;
const GATE = "gate";

beforeAll(async () => {
  caller = await openCaller();
  agent = await caller.addAgent({ grants: { tools: ["execute_code"] } });
  directory = mkdtempSync(join(tmpdir(), "drydock-harness-"));
});
afterAll(async () => {
  await caller.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A run that stays open until `end` is called, with a harness connected to its gateway. */
async function openRun(who = agent, options: { directory?: string } = {}) {
  const opened = Promise.withResolvers<Access>();
  const running = who.send({ gate: GATE }, { gateway: { ...options, onOpen: opened.resolve } });
  const access = await Promise.race([opened.promise, running.then((sent) => Promise.reject(JSON.stringify(sent)))]);
  const client = await connect(access);
  const call = async (name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: { run_id: access.runId, ...args } })).structuredContent as Record<
      string,
      unknown
    >;
  const end = async () => {
    await call("state_set", { scope: "conversation", key: GATE, value: true });
    const sent = await running;
    await client.close();
    return sent;
  };
  return { access, client, call, end };
}

async function connect({ url, token }: Pick<Access, "url" | "token">): Promise<Client> {
  const client = new Client({ name: "harness", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

const callsOf = async (runId: string) =>
  (await caller.dock.runs.events(runId)).filter(({ type }) => type === "host.called").map(({ data }) => data);

describe("a harness with the token of its run", () => {
  it("reaches the event, the history, tools and state, and all of it is on record", async () => {
    const { access, client, call, end } = await openRun();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["list_assets", "get_current_event", "list_knowledge_bases", "retrieve_knowledge", "history_page"],
      ...["history_search", "get_tool_detail", "call_tool", "artifact_metadata", "artifact_read"],
      ...["artifact_read_range", "state_get", "state_set", "state_delete", "state_list"],
    ]);
    expect(await call("list_assets")).toMatchObject({
      resources: { tools: [{ tool_name: "execute_code", operations: ["detail", "call"] }] },
      available_apis: { history_page: true },
    });
    expect(await call("get_current_event")).toMatchObject({ event: { event_type: "message.received" } });
    expect(await call("history_page")).toMatchObject({ items: [{ role: "user" }] });
    const code = { language: "python", code: "print(6 * 7)" };
    expect(await call("call_tool", { tool_name: "execute_code", parameters: code })).toMatchObject({
      result: { failed: false, text: expect.stringContaining("42") },
    });
    await call("state_set", { scope: "conversation", key: "k", value: [1] });
    expect(await call("state_get", { scope: "conversation", key: "k" })).toEqual({ value: [1] });
    expect(await end()).toMatchObject({ ok: true });
    const calls = (await callsOf(access.runId)).filter(({ via }) => via === "gateway");
    expect(calls.map(({ method }) => method).slice(0, 4)).toEqual([
      ...["list_assets", "get_current_event", "history_page", "call_tool"],
    ]);
  });

  it("works in the box of its run's agent, with what other runs left there", async () => {
    const boxer = await caller.addAgent({ grants: { tools: ["exec", "read"] }, box: { scope: "{global}" } });
    const exec = { tool_name: "exec", parameters: { code: "echo left > note.txt" } };
    await boxer.ask({ calls: [["call_tool", exec]] });
    const { call, end } = await openRun(boxer);
    expect(await call("call_tool", { tool_name: "read", parameters: { path: "note.txt" } })).toMatchObject({
      result: { failed: false, text: "1\tleft" },
    });
    expect(await end()).toMatchObject({ ok: true });
  });

  it("has no more than the run was granted", async () => {
    const { access, call, end } = await openRun();
    const code = { language: "python", code: "1" };
    for (const [name, args] of [
      ["call_tool", { tool_name: "session_exec", parameters: code }],
      ["retrieve_knowledge", { kb_id: "x", query_text: "y" }],
      ["state_get", { scope: "runner", key: "k" }],
      ["history_page", { conversation_id: "another" }],
    ] as const)
      expect(await call(name, args)).toMatchObject({ error: { code: "unauthorized" } });
    await end();
    const refused = (await callsOf(access.runId)).filter(({ ok }) => !ok);
    expect(refused.map(({ code: why, via }) => [why, via])).toEqual(Array(4).fill(["unauthorized", "gateway"]));
  });
});

describe("a request that is not of the run", () => {
  it("is refused and recorded: no token, another's token, another's id", async () => {
    const [first, second] = [await openRun(), await openRun()];
    for (const token of ["", "x", second.access.token])
      await expect(connect({ url: first.access.url, token })).rejects.toThrow();
    const stolen = { run_id: second.access.runId };
    expect(await first.call("history_page", stolen)).toMatchObject({ error: { code: "unauthorized" } });
    await Promise.all([first.end(), second.end()]);
    const refused = (await callsOf(first.access.runId)).filter(({ ok }) => !ok);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["unauthorized"]));
    expect((await callsOf(second.access.runId)).filter(({ ok }) => !ok)).toEqual([]);
  });

  it("is refused after the end of the run, whose connection is of no use any more", async () => {
    const { access, call, end } = await openRun();
    await end();
    const before = (await caller.dock.runs.events(access.runId)).length;
    await expect(call("history_page")).rejects.toThrow();
    await expect(connect(access)).rejects.toThrow();
    expect((await caller.dock.runs.events(access.runId)).length).toBe(before);
    const warnings = await caller.dock.host.warnings();
    expect(warnings.find(({ source }) => source === "gateway")).toMatchObject({
      ...{ kind: "refused", text: expect.stringContaining("not under way"), runId: access.runId },
    });
  });

  it("of a page in a browser is refused", async () => {
    const { access, end } = await openRun();
    const headers = { Authorization: `Bearer ${access.token}`, Origin: "https://evil.example" };
    expect((await fetch(access.url, { method: "POST", headers, body: "{}" })).status).toBe(403);
    await end();
  });
});

describe("the files for a harness", () => {
  it("say what the run is about and how to reach the host, for its owner only, as long as the run lasts", async () => {
    const { access, end } = await openRun(agent, { directory });
    const read = (name: string) => JSON.parse(readFileSync(join(directory, name), "utf8"));
    expect(read("agent-context.json")).toMatchObject({ run_id: access.runId, event: {}, resources: {}, context: {} });
    expect(read("agent-context.json")).not.toHaveProperty("config");
    const { headers, url } = read(".mcp.json").mcpServers.drydock;
    await (await connect({ url, token: headers.Authorization.replace("Bearer ", "") })).close();
    expect(statSync(join(directory, ".mcp.json")).mode & 0o777).toBe(0o600);
    await end();
    expect(readdirSync(directory)).toEqual([]);
    const everything = JSON.stringify(await caller.dock.runs.events(access.runId));
    expect(everything).not.toContain(access.token);
  });

  it("are not written into a directory that is not the harness's own, nor over a file that is there", async () => {
    const link = join(directory, "link");
    symlinkSync(tmpdir(), link);
    const taken = mkdtempSync(join(tmpdir(), "drydock-taken-"));
    writeFileSync(join(taken, ".mcp.json"), "mine");
    for (const bad of ["relative", "/", "/etc", link, join(directory, "missing"), taken]) {
      const sent = await agent.send({}, { gateway: { directory: bad } });
      expect(sent).toMatchObject({ kind: "answered", ok: false });
    }
    expect(readdirSync(taken)).toEqual([".mcp.json"]);
    rmSync(link);
    rmSync(taken, { recursive: true });
  });
});
