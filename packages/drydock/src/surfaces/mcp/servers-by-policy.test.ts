import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createDock, type Dock, loadToolHost } from "../../app/index.ts";
import { createAgents, loadMcpTest, mcpServer, type ToolContext } from "../../tasks/index.ts";
import { createMcpEndpoint } from "./index.ts";
import { callFunction } from "./testing/call-function.ts";
import { listen } from "./testing/listen.ts";
import { PLAIN_SERVER } from "./testing/servers.ts";

let home = "";
let workspace = "";
let dock: Dock;
const made: string[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-mcp-policy-"));
  dock = await createDock({ home, warm: 1 });
});
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "drydock-mcp-policy-work-"));
  made.push(workspace);
  await writeFile(join(workspace, "plain.py"), PLAIN_SERVER);
  await setPolicy({});
});
afterAll(async () => {
  await dock.close();
  for (const directory of [home, ...made]) await rm(directory, { recursive: true, force: true });
});

const setPolicy = (sections: Record<string, unknown>) =>
  writeFile(join(home, "policy.yaml"), JSON.stringify({ version: 1, ...sections }));
const setMcp = (...allow: string[]) => setPolicy({ mcp: { allow } });
const plain = (name = "plain") => ({ name, command: ["python3", "plain.py"], workspace });
const context = async (): Promise<ToolContext> => ({
  signal: new AbortController().signal,
  runId: "run_test",
  host: (await loadToolHost()).createToolHost(dock),
});
const open = async (source: ReturnType<typeof mcpServer>) => {
  const { tools, close } = await source.open(await context());
  return { names: tools.map(({ name }) => name), tools, close };
};
const clerk = async (tools: ReturnType<typeof mcpServer>[], answers: unknown[], policy?: Record<string, unknown>) => {
  const script = join(home, "script.json");
  await writeFile(script, JSON.stringify({ answers }));
  const { agent, agents } = createAgents(() => createDock({ home, warm: 0 }));
  agents.use(dock);
  return agent({
    ...{ name: "clerk", description: "Calculates", input: z.object({ task: z.string() }), prompt: "{{ task }}" },
    ...{ model: `scripted:${script}`, tools, policy },
  });
};
const ADD = { toolCalls: [{ name: "plain__add", arguments: { a: 1, b: 2 } }] };

describe("the owner's policy for MCP servers", () => {
  it("allows a server by name, and refuses the others with what to write", async () => {
    await setMcp("plain");
    const { close, names } = await open(mcpServer(plain()));
    await close();
    expect(names).toHaveLength(6);
    await expect(open(mcpServer(plain("other")))).rejects.toMatchObject({
      code: "policy.command_denied",
      message: "The policy does not allow the MCP server other.",
      hint: expect.stringContaining("drydock policy set mcp.allow '[plain, other]'"),
    });
    expect((await dock.runs.list({ status: "running" })).runs).toEqual([]);
  });

  it("refuses all where the list is empty", async () => {
    await setMcp();
    await expect(open(mcpServer(plain()))).rejects.toMatchObject({ code: "policy.command_denied" });
  });

  it("allows single tools, by patterns; a list that is known from before is held against it anew", async () => {
    const source = mcpServer(plain());
    await (await open(source)).close();
    await setMcp("plain/add", "*/wr*");
    const { names, close } = await open(source);
    await close();
    expect(names).toEqual(["plain__add", "plain__write"]);
    const searching = await open(mcpServer({ ...plain(), show: "search" }));
    const call = async (name: string) =>
      callFunction(searching.tools, await context(), "plain__call_tool", { name, arguments: { a: 1, b: 1 } });
    expect(await call("add")).toBe("2");
    await expect(async () => call("fail")).rejects.toMatchObject({ code: "input.invalid" });
    await searching.close();
  });

  it("is told by the test of a server, by its name", async () => {
    await setMcp("plain/add");
    const { host } = await context();
    const { testMcpServer } = await loadMcpTest();
    if (!host) throw new Error("there is no host");
    const found = await testMcpServer(host, plain(), new AbortController().signal);
    expect(found.tools.map(({ name }) => name)).toEqual(["add"]);
    expect(found.leftOut).toContainEqual({ name: "write", reason: expect.stringContaining("mcp.allow: plain/write") });
  });
});

describe("those who may only narrow it", () => {
  it("the policy of the directory that a server works on", async () => {
    await mkdir(join(workspace, ".drydock"));
    await writeFile(join(workspace, ".drydock", "policy.yaml"), "version: 1\nmcp: { allow: [plain/add] }\n");
    const { names, close } = await open(mcpServer(plain()));
    await close();
    expect(names).toEqual(["plain__add"]);
  });

  it("an agent's definition and its call", async () => {
    const servers = [mcpServer(plain())];
    const narrow = await clerk(servers, [ADD, { text: "Done." }], { mcp: { allow: ["plain/write"] } });
    const { toolCalls } = await narrow.run({ task: "1 + 2" });
    expect(toolCalls).toMatchObject([{ failed: true, text: expect.stringContaining("There is no tool plain__add") }]);
    const none = { policy: { mcp: { allow: [] } } };
    await expect((await clerk(servers, [ADD])).run({ task: "1 + 2" }, none)).rejects.toMatchObject({
      code: "policy.command_denied",
    });
  });

  it("an agent for the agents that it calls", async () => {
    const inner = await clerk([mcpServer(plain())], [ADD]);
    const script = join(home, "outer.json");
    const toolCalls = [{ name: "clerk", arguments: { task: "1 + 2" } }];
    await writeFile(script, JSON.stringify({ answers: [{ toolCalls }, { text: "Refused." }] }));
    const { agent, agents } = createAgents(() => createDock({ home, warm: 0 }));
    agents.use(dock);
    const outer = agent({
      ...{ name: "outer", description: "Asks", input: z.object({ task: z.string() }), prompt: "{{ task }}" },
      ...{ model: `scripted:${script}`, tools: [inner], policy: { mcp: { allow: ["books"] } } },
    });
    const { toolCalls: done } = await outer.run({ task: "1 + 2" });
    expect(done).toMatchObject([
      { failed: true, text: expect.stringContaining("does not allow the MCP server plain") },
    ]);
  });

  it("a call may ask for what the owner allows but does not give by default", async () => {
    await setPolicy({ mcp: { allow: { default: [], max: ["plain"] } } });
    const answers = [ADD, { text: "It is 3." }];
    await expect((await clerk([mcpServer(plain())], answers)).run({ task: "1 + 2" })).rejects.toMatchObject({
      code: "policy.command_denied",
    });
    const asking = await clerk([mcpServer(plain())], answers, { mcp: { allow: ["plain/add"] } });
    expect((await asking.run({ task: "1 + 2" })).toolCalls).toMatchObject([{ failed: false, text: "3" }]);
  });

  it("nobody beyond the owner's list", async () => {
    await setMcp("books");
    const greedy = await clerk([mcpServer(plain())], [ADD], { mcp: { allow: ["*"] } });
    await expect(greedy.run({ task: "1 + 2" })).rejects.toMatchObject({ code: "policy.command_denied" });
  });
});

it("an agent's definition asks for the hosts of its servers, so that its calls need not", async () => {
  const server = await listen(createMcpEndpoint(dock));
  const { host } = new URL(server.url);
  await setPolicy({ network: { allow: { default: [], max: [host] } } });
  const servers = [mcpServer({ name: "self", url: server.url, tools: ["execute_code"] })];
  const toolCalls = [{ name: "self__execute_code", arguments: { code: "6 * 7" } }];
  const answers = [{ toolCalls }, { text: "It is 42." }];
  const unasked = await clerk(servers, answers);
  await expect(unasked.run({ task: "6 * 7" })).rejects.toMatchObject({ code: "policy.network_denied" });
  const asking = await clerk(servers, answers, { network: { allow: [host] } });
  const { toolCalls: done } = await asking.run({ task: "6 * 7" });
  expect(done).toMatchObject([{ failed: false, text: expect.stringContaining("42") }]);
  await server.close();
});
