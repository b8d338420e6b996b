import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Dock } from "../../app/index.ts";
import { createServerFactory } from "./create-server-factory.ts";
import { createMcpContext, type McpOptions } from "./mcp-context.ts";
import { reportOtherLines } from "./report-other-lines.ts";

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Clients that end their input wait for about two seconds before they do worse. */
const GRACE_MS = 1500;

interface StdioOptions extends McpOptions {
  signal?: AbortSignal;
  stdin: Readable;
  stdout: Writable;
  /** Messages that can't be read, and the like. */
  onProblem?: (error: Error) => void;
}

/** Serves one client over a pair of streams until it is gone, or the signal says so. */
export async function serveMcpOverStdio(dock: Dock, options: StdioOptions): Promise<void> {
  const { signal, stdin, stdout, onProblem } = options;
  const input = stdin.pipe(
    reportOtherLines((error) => onProblem?.(error)),
    { end: false },
  );
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const createServer = createServerFactory(createMcpContext(dock, options, { session: `mcp-${randomUUID()}` }));
  const handle = serveStdio(createServer, { transport, onerror: onProblem });
  const answered = watchAnswers(transport);
  await new Promise<void>((resolve) => {
    const over = transport.onclose;
    transport.onclose = () => {
      over?.();
      resolve();
    };
    // Requests from before the end of the input are answered, if that does not take long: the input may be a file.
    const drain = () => setImmediate(() => void Promise.race([answered(), wait(GRACE_MS)]).then(resolve));
    stdin.once("end", drain);
    stdin.once("close", drain);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    if (signal?.aborted) resolve();
  });
  await handle.close();
}

/** Gives a function that resolves once no request waits for its answer. */
function watchAnswers(transport: StdioServerTransport): () => Promise<void> {
  const waiting = new Set<unknown>();
  let wake = () => {};
  const forget = (id: unknown) => {
    waiting.delete(id);
    if (waiting.size === 0) wake();
  };
  const { onmessage } = transport;
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) waiting.add(message.id);
    else if ("method" in message && message.method === "notifications/cancelled") forget(message.params?.requestId);
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (isJSONRPCResponse(message)) forget(message.id);
  };
  return () =>
    new Promise((resolve) => {
      wake = resolve;
      if (waiting.size === 0) resolve();
    });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
