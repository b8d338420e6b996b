import { RUNNER_LIMITS, RUNNER_SOCKET } from "@drydock/protocol/runner";
import { connectSocket } from "./connect-socket.ts";
import { readLines } from "./read-lines.ts";
import type { Plugin } from "./runner.ts";
import { serveChannel } from "./serve-channel.ts";

const warn = (text: string) => void process.stderr.write(`${text.trimEnd()}\n`);

/**
 * The main program of a plugin: serves its runners to the host until the host is done, and ends the process. The host is on
 * stdin and stdout; where `drydock plugin dev --attach` has given an address and a token, it is there.
 */
export async function servePlugin(plugin: Plugin): Promise<never> {
  const { [RUNNER_SOCKET.urlVariable]: url, [RUNNER_SOCKET.tokenVariable]: token } = process.env;
  if (url && token) await serveOnSocket(plugin, url, token);
  else await serveOnPipes(plugin);
  process.exit(0);
}

/** From here on stdout belongs to the protocol: what the plugin prints goes to stderr. */
async function serveOnPipes(plugin: Plugin): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // The host is gone: nobody is left to tell.
  stdout.on("error", () => process.exit(1));
  const send = (line: string) => void write(line);
  await serveChannel(plugin, { lines: readLines(stdin, RUNNER_LIMITS.hostLineBytes), send, warn });
  await new Promise((resolve) => write("", resolve));
}

/**
 * connecting ──► serving ──► connecting    the host has gone; a new one may come
 *      │             └─────► ended         the host says that it is over
 *      └───────────────────► ended         there is no such host, or it does not know the token
 */
async function serveOnSocket(plugin: Plugin, url: string, token: string): Promise<void> {
  let hasConnected = false;
  let delayMs: number = RUNNER_SOCKET.retryMs.first;
  for (;;) {
    try {
      const socket = await connectSocket(url, token);
      hasConnected = true;
      delayMs = RUNNER_SOCKET.retryMs.first;
      await serveChannel(plugin, { ...socket, warn });
      socket.close();
      if (socket.isOver()) return;
    } catch (error) {
      if (!hasConnected) return giveUp(error);
    }
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    delayMs = Math.min(RUNNER_SOCKET.retryMs.last, delayMs * 2);
  }
}

function giveUp(error: unknown): never {
  const hint = "Is `drydock plugin dev --attach` running, and are these the address and the token that it has shown?";
  warn(`${error instanceof Error ? error.message : String(error)} ${hint}`);
  process.exit(1);
}
