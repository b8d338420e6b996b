import { DrydockError, type ErrorInfo } from "@drydock/protocol";
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { createLineQueue } from "../../base/waiting/index.ts";
import type { McpServerSpec } from "./server-spec.ts";
import type { ToolHost } from "./tool-host.ts";

const MAX_FRAME_CHARS = 4 * 1024 * 1024;
const MAX_WAITING_CHARS = 4 * 1024 * 1024;
const MAX_BAD_LINES = 100;
const MAX_STDERR_CHARS = 2000;
const GRACE_MS = 1000;

export interface SandboxTransport extends Transport {
  /** Why the program has ended; null while it runs, or if we ended it. */
  failure(): DrydockError | null;
}

/**
 * Speaks with a program in the sandbox over its stdin and stdout, one JSON message a line. The sandbox's own limits
 * (wall time, output, memory) end a program that does too much; here, frames that are too long, lines that are no
 * messages, and messages that it does not read are bounded.
 */
export function createSandboxTransport(host: ToolHost, spec: McpServerSpec, signal: AbortSignal): SandboxTransport {
  const stop = new AbortController();
  const input = createLineQueue(MAX_WAITING_CHARS);
  let line = "";
  let badLines = 0;
  let stderr = "";
  let failure: DrydockError | null = null;
  let closing = false;
  let running: Promise<void> | undefined;

  const fail = (message: string, hint: string) => {
    failure ??= new DrydockError("code.exception", `The MCP server ${spec.name} ${message}.`, hint, {
      server: spec.name,
    });
    stop.abort();
  };

  const take = (text: string) => {
    if (text.trim() === "" || failure) return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(text);
    } catch {
      if (++badLines > MAX_BAD_LINES)
        fail("writes text to stdout that is not an MCP message", "It must log to stderr.");
      return;
    }
    transport.onmessage?.(message);
  };

  const receive = (text: string) => {
    const lines = (line + text).split("\n");
    line = lines.pop() ?? "";
    for (const one of lines) take(one);
    if (line.length > MAX_FRAME_CHARS) {
      line = "";
      fail(`sent a message of more than ${MAX_FRAME_CHARS} characters`, "Ask it for less at once.");
    }
  };

  const run = async () => {
    const { command = [], workspace, policy } = spec;
    const result = await host.exec({
      command,
      workspace,
      policy,
      stdin: input.lines,
      signal: AbortSignal.any([signal, stop.signal]),
      onOutput: ({ stream, text }) => {
        if (closing || failure) return;
        if (stream === "stdout") receive(text);
        else stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
      },
    });
    if (!closing) failure ??= describeEnd(spec.name, result.error, stderr);
  };

  const transport: SandboxTransport = {
    // By these the client knows that it speaks over stdin and stdout, where a server that does not answer is an old one.
    ...{ stderr: null, pid: null },
    failure: () => failure,
    async start() {
      running = run()
        .catch((error: unknown) => {
          failure ??= error instanceof DrydockError ? error : describeEnd(spec.name, null, String(error));
        })
        .finally(() => {
          input.end();
          transport.onclose?.();
        });
    },
    async send(message) {
      if (!input.push(serializeMessage(message))) fail("does not read its input", "Check whether it hangs.");
      if (failure) throw failure;
    },
    async close() {
      closing = true;
      input.end();
      // The end of its input asks it to go; one that stays is ended.
      const late = setTimeout(() => stop.abort(), GRACE_MS);
      await running;
      clearTimeout(late);
    },
  };
  return transport;
}

function describeEnd(name: string, error: ErrorInfo | null, stderr: string): DrydockError {
  const details = stderr.trim() === "" ? "" : ` It printed: ${stderr.trim()}`;
  if (error === null) {
    const hint = "See whether the command is right, and speaks MCP over stdin and stdout.";
    return new DrydockError("code.crash", `The MCP server ${name} has ended.${details}`, hint, { server: name });
  }
  const { code, message, hint, ...data } = error;
  return new DrydockError(code, `The MCP server ${name}: ${message}${details}`, hint, { ...data, server: name });
}
