import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { debugOption, jsonOption, parsePositive } from "../flags/add-flags.ts";
import { readList } from "../flags/flag.ts";

interface ServeFlags {
  port?: number;
  host?: string;
  hostname?: string;
  auth: boolean;
  model?: string;
  mcpExtensions?: string;
  mcpTools?: string;
  deadline?: number;
  workerSlots?: number;
  debug?: boolean;
  json?: boolean;
}

const HELP = `
The server listens on this machine only, and wants a token: Authorization: Bearer TOKEN. The token
is made by the first start, printed then, and kept in DRYDOCK_HOME/http-token. --no-auth lets
everybody on this machine in, and is refused for any other host.

AGENTS is a TypeScript or JavaScript file that exports agents; each becomes POST /agents/NAME, and a
model of the OpenAI-compatible endpoint under /v1.

The console is a page in the browser. Its address has a code that works once, for ten minutes;
"drydock open" opens it with a new one. The browser gets a cookie for it, and never the token.

Ctrl-C takes no more requests, waits for those under way, and pauses goals: they can be resumed.

Examples:
  $ drydock serve
  $ drydock serve agents.ts --port 9000
  $ curl -H "Authorization: Bearer $(cat ~/.drydock/http-token)" localhost:8088/runs`;

export function defineCommand(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command("serve")
    .summary("HTTP server for runs, sessions, tasks and agents")
    .description("Serves this dock over HTTP, with an OpenAPI description at /openapi.json and a page at /docs.")
    .argument("[agents]", "a file that exports agents")
    .option("--port <number>", "where to listen; 0 for any (default: 8088)", parsePort)
    .option("--host <address>", "where to listen (default: 127.0.0.1)")
    .option("--hostname <names>", "names by which browsers reach it, separated by commas, as behind a proxy")
    .option("--no-auth", "require no token; only for 127.0.0.1")
    .option("--model <id>", "the model for requests that name none: PROVIDER/NAME or scripted:FILE")
    .option(
      "--mcp-extensions <names>",
      "offer the actions of these extensions at /mcp, separated by commas; '*' for all",
    )
    .option("--mcp-tools <patterns>", "offer only these tools at /mcp, separated by commas; '*' for all there are")
    .option("--deadline <seconds>", "how long one request may take (default: 900)", parsePositive)
    .option(
      "--worker-slots <number>",
      "with DATABASE_URL: runs of the queue that this server carries out at once; 0: none",
      parseSlots,
    )
    .addOption(debugOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, allFlags: ServeFlags) => {
      const { json, deadline, debug, mcpExtensions, mcpTools, hostname, ...flags } = allFlags;
      using interrupts = watchInterrupts();
      const { serve } = await import("../../http/index.ts");
      const { createDock, loadAgents } = await import("../../../app/index.ts");
      const agents = file === undefined ? [] : await loadAgents(resolve(file));
      const limits = deadline === undefined ? {} : { deadlineMs: deadline * 1000 };
      const watch = debug ? (await import("../../terminal/debug/index.ts")).watchRuns(terminal) : undefined;
      const dock = watch && (await createDock({ onEvents: watch.onEvents, isShared: true }));
      if (dock) await watch?.start(dock);
      const server = await serve(agents, {
        ...flags,
        hostnames: hostname === undefined ? undefined : readList(hostname),
        mcpExtensions: mcpExtensions === undefined ? undefined : readList(mcpExtensions),
        mcpTools: mcpTools === undefined ? undefined : readList(mcpTools),
        limits,
        dock,
      });
      const { url, token, tokenFile, isTokenNew } = server;
      if (json) {
        terminal.out(`${JSON.stringify({ url, auth: token === null ? "none" : "token", tokenFile })}\n`);
      } else {
        const { bold, dim } = terminal.outColors;
        const shown = isTokenNew ? `${bold(token ?? "")} ${dim(`(shown this once; kept in ${tokenFile})`)}` : tokenFile;
        const who = token === null ? "none: every program on this machine may use it" : shown;
        const address = await server.createConsoleAddress();
        const once = token === null ? "" : dim(" (signs in one browser, once, within 10 minutes)");
        terminal.out(`Drydock listens on ${bold(url)}\n  console  ${address}${once}\n`);
        terminal.out(`  token    ${who}\n  docs     ${url}/docs\n`);
      }
      await until(AbortSignal.any([interrupts.signal, terminal.closed]));
      if (!json)
        terminal.err(
          "Closing: work under way is finished, or paused if it is a goal. Press Ctrl-C again to end at once.\n",
        );
      await server.close();
      await dock?.close();
    });
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65536) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

function parseSlots(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

function until(signal: AbortSignal): Promise<void> {
  // A signal by itself does not keep a process alive; the server does.
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
}
