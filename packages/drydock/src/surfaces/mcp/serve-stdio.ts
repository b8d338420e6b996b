import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Dock } from "../../app/index.ts";
import { createServerFactory } from "./create-server-factory.ts";
import { createMcpContext, type McpOptions } from "./mcp-context.ts";

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

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
  const context = createMcpContext(dock, options);
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(createServerFactory(context), { transport, onerror: onProblem });
  await new Promise<void>((resolve) => {
    const over = transport.onclose;
    transport.onclose = () => {
      over?.();
      resolve();
    };
    stdin.once("end", resolve);
    stdin.once("close", resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    if (signal?.aborted) resolve();
  });
  await handle.close();
}
