import { DrydockError, type McpServerSpec } from "@drydock/protocol";
import {
  Client,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { untilAborted } from "../../base/waiting/index.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { createSandboxTransport } from "./sandbox-transport.ts";
import type { ToolHost } from "./tool-host.ts";

export interface ServerConnection {
  client: Client;
  /** What went wrong, with our code: the reason of the transport where it has one. */
  explain(error: unknown, signal?: AbortSignal): DrydockError;
  /** Ends the connection, and the program with it. */
  close(): Promise<void>;
}

type Mode = "auto" | "legacy";
interface Opened {
  transport: Transport;
  failure: () => DrydockError | null;
}

const START_SECONDS = 30;
const MAX_PAGES = 16;
const TRIES: Record<NonNullable<McpServerSpec["transport"]> | "either" | "command", readonly [string, Mode][]> = {
  command: [
    ["command", "auto"],
    // Some old servers end at a question that comes before the handshake.
    ["command", "legacy"],
  ],
  http: [["http", "auto"]],
  sse: [["sse", "legacy"]],
  either: [
    ["http", "auto"],
    ["sse", "legacy"],
  ],
};

/** A server's schemas can be made to take for ever: nothing of what it sends is compiled or matched here. */
const BELIEVE_ALL: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (value) => ({ valid: true, data: value as T, errorMessage: undefined });
  },
};

/** Connects to a server, in whatever way it understands. Nothing stays behind where that fails. */
export async function connectServer(
  host: ToolHost,
  spec: McpServerSpec,
  signal: AbortSignal,
): Promise<ServerConnection> {
  const tries = TRIES[spec.command ? "command" : (spec.transport ?? "either")];
  let first: unknown;
  for (const [way, mode] of tries) {
    try {
      return await connect(host, spec, way, mode, signal);
    } catch (error) {
      first ??= error;
      if (signal.aborted || !isWorthAnother(error)) break;
    }
  }
  throw first;
}

async function connect(
  host: ToolHost,
  spec: McpServerSpec,
  way: string,
  mode: Mode,
  outer: AbortSignal,
): Promise<ServerConnection> {
  const over = new AbortController();
  const signal = AbortSignal.any([outer, over.signal]);
  const { transport, failure } = openTransport(host, spec, way, signal);
  const timeout = (spec.startSeconds ?? START_SECONDS) * 1000;
  const client = new Client(
    { name: "drydock", version: "1" },
    {
      versionNegotiation: { mode, probe: { timeoutMs: timeout / 2 } },
      listMaxPages: MAX_PAGES,
      jsonSchemaValidator: BELIEVE_ALL,
    },
  );
  const explain = (error: unknown, call = outer) => failure() ?? describeFault(spec.name, error, call);
  const close = async () => {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    over.abort();
  };
  // Each step of a handshake has its own time; all of them together have no more than one.
  const clock = setTimeout(() => over.abort(timedOut(spec.name, timeout)), timeout);
  try {
    await untilAborted(client.connect(transport, { timeout, signal }), signal);
    return { client, explain, close };
  } catch (error) {
    const known = over.signal.aborted ? timedOut(spec.name, timeout) : explain(error);
    await close();
    throw known;
  } finally {
    clearTimeout(clock);
  }
}

function openTransport(host: ToolHost, spec: McpServerSpec, way: string, signal: AbortSignal): Opened {
  if (way === "command") {
    const transport = createSandboxTransport(host, spec, signal);
    return { transport, failure: transport.failure };
  }
  const options = { fetch: createGuardedFetch(host, spec, signal), requestInit: { headers: spec.headers } };
  const url = new URL(spec.url ?? "");
  const transport =
    way === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
  return { transport, failure: () => null };
}

/** Whether another way of speaking may work where this one did not. */
function isWorthAnother(error: unknown): boolean {
  if (!(error instanceof DrydockError)) return false;
  if (error.code === "code.crash" || error.code === "code.exit") return true;
  return error.cause instanceof SdkHttpError && [400, 404, 405].includes(Number(error.cause.data?.status));
}

function describeFault(name: string, error: unknown, signal: AbortSignal): DrydockError {
  if (error instanceof DrydockError) return error;
  if (error instanceof Error && error.cause instanceof DrydockError) return error.cause;
  if (signal.aborted) {
    return new DrydockError("run.cancelled", `The call to the MCP server ${name} was cancelled.`, "Call it again.");
  }
  const data = { server: name };
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    const hint = "Give it more time (timeoutSeconds, startSeconds), or ask it for less.";
    return new DrydockError("limit.timeout", `The MCP server ${name} did not answer in time.`, hint, data, error);
  }
  const message = error instanceof Error ? error.message : String(error);
  const hint = hintFor(error);
  return new DrydockError("code.exception", `The MCP server ${name}: ${message.slice(0, 1000)}`, hint, data, error);
}

/** The hint must also fit `drydock mcp test`. */
function hintFor(error: unknown): string {
  const status = error instanceof SdkHttpError ? Number(error.data?.status) : 0;
  if (status === 401 || status === 403) {
    return "The server requires authentication: give a header, such as 'Authorization: Bearer TOKEN' (--header, or headers in the server's settings).";
  }
  if (status === 404) return "Check the path of the address: many servers answer at /mcp or /sse.";
  return "Check its command or address, and read what the server itself logs.";
}

function timedOut(name: string, timeoutMs: number): DrydockError {
  const message = `The MCP server ${name} did not start within ${timeoutMs / 1000} s.`;
  return new DrydockError("limit.timeout", message, "Give it more time: startSeconds.", { server: name });
}
