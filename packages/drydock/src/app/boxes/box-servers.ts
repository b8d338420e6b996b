import { type AgentMcpServer, type BoxServerInfo, DrydockError } from "@drydock/protocol";
import { type FunctionTool, mcpServer, type ToolHost } from "../../tasks/index.ts";

/** MCP servers that run in one box. */
export interface BoxServers {
  /** The tools of a server. It is started with its first use, and lasts as long as the box. */
  tools(spec: AgentMcpServer, signal: AbortSignal): Promise<readonly FunctionTool[]>;
  list(): BoxServerInfo[];
  close(): void;
}

interface Ports {
  runId: string;
  /** Its programs are started in the box. */
  host: ToolHost;
  /** When the box is over. */
  over: AbortSignal;
}

type Opened = Awaited<ReturnType<ReturnType<typeof mcpServer>["open"]>>;

interface Server extends BoxServerInfo {
  /** What it was opened with: another one takes its place where the agent's settings have changed. */
  settings: string;
  opening: Promise<Opened> | undefined;
  failures: number;
  connectedAt: number;
  retryAt: number;
  timer: NodeJS.Timeout | undefined;
  stop: AbortController;
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;
/** After so many failures in a row it is started by the next call only. */
const MAX_FAILURES = 6;
/** Who lasted so long has not failed in a row. */
const SETTLED_MS = 60_000;

/*
 * connecting ──► connected ──► error ──► connecting …      a server that ends is started again, each time a little later
 *      └────────────────────────►┘
 */
export function createBoxServers({ runId, host, over }: Ports): BoxServers {
  const servers = new Map<string, Server>();

  function connect(server: Server, spec: AgentMcpServer): Promise<Opened> {
    clearTimeout(server.timer);
    server.status = "connecting";
    const signal = AbortSignal.any([over, server.stop.signal]);
    /** Each process of a connection; only the end of one that was connected is a failure of its own. */
    const exec: ToolHost["exec"] = async (request) => {
      const result = await host.exec(request);
      if (server.status === "connected" && server.opening === opening) fail(server, spec, result.error?.message);
      return result;
    };
    const opening: Promise<Opened> = mcpServer({ ...toServerSpec(spec), show: "all" }).open({
      ...{ signal, runId, host: { ...host, exec } },
    });
    server.opening = opening;
    opening.then(
      ({ tools }) => {
        if (server.opening !== opening) return;
        Object.assign(server, { status: "connected", problem: null, tools: tools.length, connectedAt: Date.now() });
      },
      (error: unknown) => {
        if (server.opening === opening) fail(server, spec, error instanceof Error ? error.message : String(error));
      },
    );
    return opening;
  }

  function fail(server: Server, spec: AgentMcpServer, reason: string | undefined): void {
    const lasted = server.status === "connected" && Date.now() - server.connectedAt > SETTLED_MS;
    const before = server.opening;
    const failures = lasted ? 1 : server.failures + 1;
    const problem = (reason ?? `The MCP server ${server.name} has ended.`).slice(0, 1000);
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
    Object.assign(server, { status: "error", problem, tools: 0, failures, opening: undefined });
    server.retryAt = Date.now() + delayMs;
    void before?.then((opened) => opened.close()).catch(() => {});
    if (over.aborted || server.stop.signal.aborted || failures >= MAX_FAILURES) return;
    server.timer = setTimeout(() => {
      server.restarts++;
      connect(server, spec).catch(() => {});
    }, delayMs).unref();
  }

  function find(spec: AgentMcpServer): Server {
    const settings = JSON.stringify(spec);
    const known = servers.get(spec.name);
    if (known?.settings === settings) return known;
    if (known) end(known);
    const server: Server = {
      ...{ name: spec.name, status: "connecting", problem: null, tools: 0, restarts: 0, settings, opening: undefined },
      ...{ failures: 0, connectedAt: 0, retryAt: 0, timer: undefined, stop: new AbortController() },
    };
    servers.set(spec.name, server);
    return server;
  }

  function end(server: Server): void {
    clearTimeout(server.timer);
    server.stop.abort();
    const before = server.opening;
    server.opening = undefined;
    void before?.then((opened) => opened.close()).catch(() => {});
  }

  return {
    async tools(spec, signal) {
      const server = find(spec);
      if (spec.enabled === false) {
        server.status = "disabled";
        throw switchedOff(spec.name);
      }
      signal.throwIfAborted();
      if (!server.opening && server.status === "error" && Date.now() < server.retryAt) throw waits(server);
      return (await (server.opening ?? connect(server, spec))).tools;
    },
    list: () =>
      [...servers.values()].map(({ name, status, problem, tools, restarts }) => ({
        ...{ name, status, problem, tools, restarts },
      })),
    close() {
      for (const server of servers.values()) end(server);
    },
  };
}

/** Without what only a box knows. */
export function toServerSpec({ inBox: _inBox, enabled: _enabled, ...spec }: AgentMcpServer) {
  return spec;
}

export function switchedOff(name: string): DrydockError {
  const hint = "The owner switches it on: `enabled` of the server in the agent's settings.";
  return new DrydockError("policy.command_denied", `The MCP server ${name} is switched off.`, hint, { server: name });
}

function waits({ name, problem, retryAt }: Server): DrydockError {
  const seconds = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000));
  const message = `The MCP server ${name} does not run: ${problem}`;
  return new DrydockError("code.crash", message, `It is started again in ${seconds} s.`, { server: name });
}
