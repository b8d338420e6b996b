import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  API_ERROR_NUMBER,
  ApiError,
  HOST_METHODS,
  HOST_NOTIFICATIONS,
  type HostMethod,
  hostParams,
  PLUGIN_REQUESTS,
  RUNNER_SOCKET,
  RunContext,
  type RunContextInput,
  type RunResult,
} from "@drydock/protocol/runner";
import { createJSONRPCErrorResponse, JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import { type WebSocket, WebSocketServer } from "ws";
import { readLines } from "../src/read-lines.ts";

type Answer = (params: Record<string, unknown>, host: TestHost) => unknown;

export interface TestHost {
  /** Runs to the end and gives the results. */
  run(text: string, options?: RunOptions): Promise<RunResult[]>;
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  /** Writes bytes as they are. */
  write(text: string): void;
  readonly answers: Partial<Record<HostMethod, Answer>>;
  /** Answers of the plugin to lines that it could not read. */
  readonly complaints: { error: { code: number } }[];
  readonly logs: unknown[];
  readonly stderr: () => string;
  /** Closes the connection, and gives the exit status. */
  close(): Promise<number | null>;
  /** Closes a WebSocket as a host that has gone; resolves when the plugin has connected again. */
  reconnect(): Promise<void>;
}

type Wire = "stdio" | "WebSocket";

interface RunOptions {
  channel?: string;
  runner?: string;
  context?: Partial<RunContextInput>;
  onResult?: (result: RunResult) => void;
}

/** A small host: one process, and what it says, checked by the protocol. */
export async function startTestHost(
  command: readonly string[],
  plugin: string,
  env: NodeJS.ProcessEnv = {},
  wire: Wire = "stdio",
): Promise<TestHost> {
  const [program = "", ...args] = command;
  const door = wire === "WebSocket" ? await openDoor() : null;
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env, ...door?.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  if (door) child.stdout.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  let socket = await door?.next();
  const write = (text: string) => {
    if (socket) socket.send(text.replace(/\n$/, ""));
    else child.stdin.write(text);
  };
  const runs = new Map<string, (result: RunResult) => void>();
  const server = new JSONRPCServer({ errorListener: () => {} });
  server.mapErrorToJSONRPCErrorResponse = (id, error: unknown) => {
    const { info } = error instanceof ApiError ? error : new ApiError("runtime_error", String(error));
    return createJSONRPCErrorResponse(id, API_ERROR_NUMBER, info.message, info);
  };
  const client = new JSONRPCClient((payload) => write(`${JSON.stringify(payload)}\n`));
  const peer = new JSONRPCServerAndClient(server, client);
  const host: TestHost = {
    ...{ answers: {}, complaints: [], logs: [], stderr: () => stderr },
    async run(text, { channel = `ch_${text}`.slice(0, 100), runner = "probe", context = {}, onResult } = {}) {
      const results: RunResult[] = [];
      runs.set(channel, (result) => {
        results.push(result);
        onResult?.(result);
      });
      const params = { runner_id: `plugin:${plugin}/${runner}`, runner_name: runner, channel };
      const answer = await peer.request("runner.run", { ...params, context: makeContext(text, context) }, undefined);
      PLUGIN_REQUESTS["runner.run"].result.parse(answer);
      runs.delete(channel);
      return results;
    },
    request: async (method, params) => peer.request(method, params, undefined),
    notify: (method, params) => peer.notify(method, params, undefined),
    // A WebSocket has a text for each line.
    write: (text) => (socket ? text.trimEnd().split("\n") : [text]).forEach(write),
    async close() {
      socket?.close(RUNNER_SOCKET.overCode);
      child.stdin.end();
      const [status] = (await exit) as [number | null];
      door?.close();
      return status;
    },
    async reconnect() {
      socket?.close(1000);
      socket = await door?.next();
      if (socket) listen(socket);
    },
  };
  for (const method of HOST_METHODS) {
    server.addMethod(method, async (params: unknown) => {
      const answer = host.answers[method];
      if (!answer) throw new ApiError("unauthorized", `${method} is not granted.`);
      return answer(hostParams(method).parse(params) as Record<string, unknown>, host);
    });
  }
  server.addMethod("run.result", (params: unknown) => {
    const { channel, result } = HOST_NOTIFICATIONS["run.result"].parse(params);
    runs.get(channel)?.(result);
  });
  server.addMethod("log", (params: unknown) => void host.logs.push(HOST_NOTIFICATIONS.log.parse(params)));
  const take = async (line: string) => {
    const message = JSON.parse(line) as { id?: unknown; error: { code: number } };
    if (message.id === null) host.complaints.push(message);
    else await Promise.race([peer.receiveAndSend(message, undefined, undefined), null]);
  };
  const over = () => peer.rejectAllPendingRequests("The process has ended.");
  const listen = (open: WebSocket) => {
    open.on("message", (data) => void take(String(data)));
    open.on("close", over);
  };
  if (socket) listen(socket);
  else
    void (async () => {
      for await (const line of readLines(child.stdout, 2 ** 24)) await take(line ?? "");
      over();
    })();
  return host;
}

/** Waits for a plugin to connect. */
async function openDoor() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 2 ** 25 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const token = "a".repeat(64);
  return {
    env: { [RUNNER_SOCKET.urlVariable]: `ws://127.0.0.1:${port}/runner`, [RUNNER_SOCKET.tokenVariable]: token },
    async next(): Promise<WebSocket> {
      const [socket, request] = await once(server, "connection");
      if (request.headers.authorization !== `Bearer ${token}`) throw new Error("The plugin gave another token.");
      return socket as WebSocket;
    },
    close: () => server.close(),
  };
}

function makeContext(text: string, context: Partial<RunContextInput>): RunContext {
  return RunContext.parse({
    run_id: "run_1",
    trigger: { type: "message", source: "api" },
    event: { event_id: "e1", event_type: "message.received", source: "api" },
    input: { text },
    delivery: { surface: "api", supports_streaming: true },
    resources: {},
    context: { inline_policy: { mode: "none" }, available_apis: {} },
    state: {},
    runtime: {},
    ...context,
  });
}
