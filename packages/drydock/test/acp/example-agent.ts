import { execSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type AgentContext,
  agent,
  type McpServer,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type SessionNotification,
} from "@agentclientprotocol/sdk";

/** An agent without a model, on the official SDK: it does what the words of a prompt say. It runs inside the sandbox. */
const stream = ndJsonStream(
  Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
);
const cancelled = new Set<string>();
/** `--resume` and `--load`: how it says that it goes on with a session. Sessions lie in its home. */
const [mode = ""] = process.argv.slice(2);
const SESSIONS = join(homedir(), "sessions");
let servers: McpServer[] = [];
let runId = "";
let cwd = "";
let offers: unknown;

agent({ name: "example" })
  .onRequest(methods.agent.initialize, ({ params }) => {
    offers = params.clientCapabilities;
    const sessionCapabilities = { ...(mode === "--resume" && { resume: {} }), ...(mode !== "" && { close: {} }) };
    const agentCapabilities = { loadSession: mode === "--load", sessionCapabilities, mcpCapabilities: { http: true } };
    return { protocolVersion: PROTOCOL_VERSION, agentCapabilities };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    ({ cwd, mcpServers: servers } = params);
    let number = 1;
    while (existsSync(join(SESSIONS, `ses-${number}`))) number += 1;
    remember(`ses-${number}`, []);
    return { sessionId: `ses-${number}` };
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    goOn(params.sessionId);
    ({ cwd, mcpServers: servers = [] } = params);
    return {};
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    const content = { type: "text", text: `said before: ${goOn(params.sessionId).join(", ")}` } as const;
    ({ cwd, mcpServers: servers } = params);
    await client.notify(methods.client.session.update, {
      sessionId: params.sessionId,
      update: { sessionUpdate: "agent_message_chunk", content },
    });
    return {};
  })
  .onRequest(methods.agent.session.close, ({ params }) => {
    writeFileSync(join(SESSIONS, `${params.sessionId}.closed`), "");
    return {};
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    cancelled.add(params.sessionId);
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const [block] = prompt;
    const words = block?.type === "text" ? block.text : "";
    const last = prompt.at(-1);
    runId = /run_id: (\w+)/.exec(last?.type === "text" ? last.text : "")?.[1] ?? "";
    cancelled.delete(sessionId);
    remember(sessionId, [...goOn(sessionId), words]);
    const stopReason = await act(client, sessionId, words);
    return { stopReason };
  })
  .connect(stream);

function goOn(sessionId: string): string[] {
  return JSON.parse(readFileSync(join(SESSIONS, sessionId), "utf8"));
}

function remember(sessionId: string, said: string[]): void {
  mkdirSync(SESSIONS, { recursive: true });
  writeFileSync(join(SESSIONS, sessionId), JSON.stringify(said));
}

/** Calls a tool of the MCP server that the session was given, as plain HTTP. */
async function callServer(tool: string, args: object, token?: string): Promise<string> {
  const [server] = servers;
  if (!server || !("url" in server)) return "no server";
  const given = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  const answer = await fetch(server.url, {
    method: "POST",
    headers: {
      ...given,
      ...(token !== undefined && { Authorization: token }),
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } }),
  });
  return `${answer.status} ${await answer.text()}`;
}

async function act(client: AgentContext, sessionId: string, words: string): Promise<"end_turn" | "cancelled"> {
  const say = (text: string) =>
    client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });
  const [verb = "", ...rest] = words.split(" ");
  const argument = rest.join(" ");
  const ask = async (kind: "edit" | "execute", rawInput: object, path: string) => {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: "1", title: argument, kind, rawInput, locations: [{ path }] },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    });
    return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
  };
  switch (verb) {
    case "where":
      await say(JSON.stringify({ cwd, offers, processCwd: process.cwd() }));
      return "end_turn";
    case "shell":
      // A command of the agent's own, which no protocol sees.
      execSync(argument, { cwd: "/work", shell: "/bin/bash" });
      await say("done");
      return "end_turn";
    case "write":
      await client.request(methods.client.fs.writeTextFile, {
        sessionId,
        path: `${cwd}/${argument}`,
        content: "written\n",
      });
      await say(
        (await client.request(methods.client.fs.readTextFile, { sessionId, path: `${cwd}/${argument}` })).content,
      );
      return "end_turn";
    case "terminal": {
      await using terminal = await client.createTerminal({ sessionId, command: "bash", args: ["-c", argument], cwd });
      const { exitCode } = await terminal.waitForExit();
      await say(`${exitCode} ${(await terminal.currentOutput()).output}`);
      return "end_turn";
    }
    case "edit": {
      const said = await ask("edit", {}, `${cwd}/${argument}`);
      if (said === "yes") writeFileSync(`${cwd}/${argument}`, "edited\n");
      await say(String(said));
      return "end_turn";
    }
    case "stream":
      for (const word of rest) {
        await say(word);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return "end_turn";
    case "recall":
      await say(`${sessionId}: ${goOn(sessionId).join(", ")}`);
      return "end_turn";
    case "tool": {
      const tell = (update: SessionNotification["update"]) =>
        client.notify(methods.client.session.update, { sessionId, update });
      await tell({ sessionUpdate: "tool_call", toolCallId: "t1", title: "look", kind: "read", rawInput: { at: "a" } });
      await tell({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed", rawOutput: { seen: 1 } });
      await say("looked");
      return "end_turn";
    }
    case "mcp":
      await say(await callServer("get_current_event", { run_id: rest[0] === "own" ? runId : rest[0] }, rest[1]));
      return "end_turn";
    case "flood":
      for (let sent = 0; sent < Number(argument); sent += 1) {
        await say("x".repeat(100_000));
        process.stderr.write(`${"y".repeat(100_000)}\n`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return "end_turn";
    case "leave": {
      const child = spawn("sleep", [argument], { detached: true, stdio: "ignore" });
      child.unref();
      await say("left");
      return "end_turn";
    }
    case "look":
      await say(JSON.stringify({ argv: process.argv, env: process.env }));
      return "end_turn";
    case "wait":
      await say("waiting");
      while (!cancelled.has(sessionId)) await new Promise((resolve) => setTimeout(resolve, 20));
      return "cancelled";
    case "die":
      process.stderr.write(`out of\n${"    at think (agent.mjs:1:2)\n".repeat(100)}ideas\n`);
      process.exit(3);
      break;
    case "ask-and-die":
      void ask("edit", {}, `${cwd}/a.txt`);
      setTimeout(() => process.exit(4), 300);
      return new Promise(() => {});
    default:
      await say(`I don't know ${verb}.`);
  }
  return "end_turn";
}
