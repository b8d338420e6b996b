import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createDock, type Dock, loadToolHost } from "../../app/index.ts";
import {
  createAgents,
  type FunctionTool,
  loadMcpTest,
  mcpServer,
  type ToolContext,
  type ToolHost,
} from "../../tasks/index.ts";
import { callFunction } from "./testing/call-function.ts";
import { HOSTILE_SERVER, PLAIN_SERVER } from "./testing/servers.ts";

let home = "";
let workspace = "";
let dock: Dock;
let host: ToolHost;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-mcp-tools-"));
  workspace = await mkdtemp(join(tmpdir(), "drydock-mcp-servers-"));
  await writeFile(join(workspace, "plain.py"), PLAIN_SERVER);
  await writeFile(join(workspace, "hostile.py"), HOSTILE_SERVER);
  await writeFile(join(home, "policy.yaml"), "commands: { allow: [python3, node, ls, cat] }\n");
  dock = await createDock({ home, warm: 2 });
  host = (await loadToolHost()).createToolHost(dock);
});
afterAll(async () => {
  await dock.close();
  await rm(home, { recursive: true, force: true });
  await rm(workspace, { recursive: true, force: true });
});

const context = (signal = new AbortController().signal): ToolContext => ({ signal, runId: "run_test", host });
const plain = () => ({ name: "plain", command: ["python3", "plain.py"], workspace });
const hostile = (way: string) => ({ name: "evil", command: ["python3", "hostile.py", way], workspace });
const call = (tools: readonly FunctionTool[], name: string, input: unknown, signal?: AbortSignal) =>
  callFunction(tools, context(signal), name, input);
const runs = async () => (await dock.runs.list({ limit: 200 })).runs;

describe("a server that is a program", () => {
  it("runs in the sandbox, and its tools are functions", async () => {
    const { tools, close } = await mcpServer(plain()).open(context());
    expect(tools.map(({ name }) => name)).toContain("plain__add");
    expect(await call(tools, "plain__add", { a: 2, b: 3 })).toBe("5");
    expect((await runs())[0]).toMatchObject({ kind: "exec", status: "running" });
    await close();
    expect((await runs())[0]).toMatchObject({ kind: "exec", status: "succeeded" });
  });

  it("changes nothing outside, and reaches nobody", async () => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    const { tools, close } = await mcpServer(plain()).open(context());
    expect(await call(tools, "plain__write", {})).toBe("written");
    await expect(call(tools, "plain__reach", { port })).rejects.toMatchObject({ code: "code.exception" });
    await close();
    listener.close();
    expect((await readdir(workspace)).sort()).toEqual(["hostile.py", "plain.py"]);
  });

  it("is started again only when one of its tools is called", async () => {
    const source = mcpServer(plain());
    await (await source.open(context())).close();
    const before = (await runs()).length;
    const { tools, close } = await source.open(context());
    expect((await runs()).length).toBe(before);
    expect(await call(tools, "plain__add", { a: 1, b: 1 })).toBe("2");
    expect((await runs()).length).toBe(before + 1);
    await close();
  });

  it("shows only the tools on the list", async () => {
    const { tools, close } = await mcpServer({ ...plain(), tools: ["*a*"], exclude: ["fail"] }).open(context());
    await close();
    expect(tools.map(({ name }) => name)).toEqual(["plain__add", "plain__reach", "plain__hang"]);
  });

  it("can be searched in the place of being shown whole", async () => {
    const { tools, close } = await mcpServer({ ...plain(), show: "search", exclude: ["fail"] }).open(context());
    expect(tools.map(({ name }) => name)).toEqual(["plain__find_tools", "plain__call_tool"]);
    expect(await call(tools, "plain__find_tools", { query: "numbers" })).toMatchObject([{ name: "add" }]);
    expect(await call(tools, "plain__call_tool", { name: "add", arguments: { a: 4, b: 4 } })).toBe("8");
    await expect(async () => call(tools, "plain__call_tool", { name: "fail" })).rejects.toMatchObject({
      code: "input.invalid",
    });
    await close();
  });

  it("tells of failures, bounds results and time, and goes on after a cancelled call", async () => {
    const { tools, close } = await mcpServer({ ...plain(), timeoutSeconds: 2 }).open(context());
    await expect(call(tools, "plain__fail", {})).rejects.toMatchObject({ message: "it did not work" });
    expect(((await call(tools, "plain__long", {})) as string).length).toBeLessThan(101_000);
    await expect(call(tools, "plain__hang", {})).rejects.toMatchObject({ code: "limit.timeout" });
    const cancel = new AbortController();
    const hanging = call(tools, "plain__hang", {}, cancel.signal);
    setTimeout(() => cancel.abort(), 50);
    await expect(hanging).rejects.toMatchObject({ code: "run.cancelled" });
    expect(await call(tools, "plain__add", { a: 1, b: 2 })).toBe("3");
    await close();
  });

  it("is refused where its command is not on the policy's list", async () => {
    const source = mcpServer({ name: "no", command: ["curl", "x"] });
    await expect(source.open(context())).rejects.toMatchObject({ code: "policy.command_denied" });
  });
});

describe("a server that means harm", () => {
  it.each([
    ["says nothing", "silent", "limit.timeout"],
    ["does not read", "deaf", "limit.timeout"],
    ["writes without end", "flood", "code.exception"],
    ["writes what is no message", "noise", "code.exception"],
    ["sends a frame without end", "huge", "code.exception"],
    ["lists pages without end", "pages", "code.exception"],
  ])("is ended when it %s", async (_name, way, code) => {
    const source = mcpServer({ ...hostile(way), startSeconds: code === "limit.timeout" ? 1 : 30 });
    await expect(source.open(context())).rejects.toMatchObject({ code });
    expect((await runs()).filter(({ status }) => status === "running")).toEqual([]);
  });

  it("is not harmed by answers that nobody asked for, nor by questions", async () => {
    const { tools, close } = await mcpServer(hostile("ids")).open(context());
    expect(await call(tools, "evil__good", {})).toBe("done");
    await close();
  });

  it("can't put words into names or hide them in descriptions, nor slow the host with its schemas", async () => {
    const { testMcpServer } = await loadMcpTest();
    const found = await testMcpServer(host, hostile("names"), new AbortController().signal);
    expect(found.tools.map(({ name }) => name)).toEqual(["good", "__proto__"]);
    expect(found.tools[0]?.description).toBe("Fine[31m words");
    expect(found.leftOut.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("its name is none"),
      expect.stringContaining("another tool"),
      expect.stringContaining("too large"),
    ]);
    expect(found.server.name).toBe("evil[2J");
    const { tools, close } = await mcpServer(hostile("names")).open(context());
    expect(await call(tools, "evil__good", {})).toBe("done");
    await close();
  });

  it("that quits in the middle of a call is told, and started again for the next", async () => {
    const { tools, close } = await mcpServer(hostile("quit")).open(context());
    for (const _ of [1, 2]) await expect(call(tools, "evil__good", {})).rejects.toMatchObject({ code: "code.exit" });
    await close();
  });
});

describe("an agent with a server's tools", () => {
  const define = async (answers: unknown[], tools: ReturnType<typeof mcpServer>[]) => {
    const script = join(home, "script.json");
    await writeFile(script, JSON.stringify({ answers }));
    const { agent, agents } = createAgents(() => createDock({ home, warm: 0 }));
    agents.use(dock);
    return agent({
      name: "clerk",
      description: "Calculates",
      input: z.object({ task: z.string() }),
      prompt: "{{ task }}",
      model: `scripted:${script}`,
      tools,
    });
  };

  it("calls them in the sandbox, on record", async () => {
    const toolCalls = [{ name: "plain__add", arguments: { a: 40, b: 2 } }];
    const clerk = await define([{ toolCalls }, { text: "It is 42." }], [mcpServer(plain())]);
    const { output, toolCalls: made, runId } = await clerk.run({ task: "40 + 2?" });
    expect(output).toBe("It is 42.");
    expect(made).toMatchObject([{ name: "plain__add", text: "42", failed: false }]);
    expect((await dock.runs.get(runId)).status).toBe("succeeded");
    expect((await runs()).find(({ title }) => title === "python3 plain.py")).toMatchObject({ status: "succeeded" });
  });

  it("is told what a tool did wrong, and goes on", async () => {
    const toolCalls = [{ name: "plain__fail", arguments: {} }];
    const clerk = await define([{ toolCalls }, { text: "It failed." }], [mcpServer(plain())]);
    const { output, toolCalls: made } = await clerk.run({ task: "Try" });
    expect(output).toBe("It failed.");
    expect(made).toMatchObject([{ failed: true, text: expect.stringContaining("it did not work") }]);
  });
});
