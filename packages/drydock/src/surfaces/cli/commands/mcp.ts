import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { type Command, Option } from "commander";
import type { Dock } from "../../../app/index.ts";
import { useDock } from "../../terminal/use-dock.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import { collectHosts, debugOption, jsonOption, parsePositive } from "../flags/add-flags.ts";
import { readList } from "../flags/flag.ts";
import { renderMcpTest } from "../render/render-mcp-test.ts";

interface ServeFlags {
  workspace?: string[];
  tools?: string;
  extensions?: string;
  model?: string;
  debug?: boolean;
}

interface TestFlags {
  command?: string[];
  name?: string;
  url?: string;
  transport?: "http" | "sse";
  header?: string[];
  workspace?: string;
  net?: string[];
  timeout?: number;
  json?: boolean;
}

const HELP = `
In a client's settings, the command is drydock and its arguments are mcp, --workspace and a directory. Over HTTP the same is
served by drydock serve, at /mcp. Extensions' actions are tools only where --extensions names them.

Examples:
  $ drydock mcp --workspace .                     serve an MCP client over stdin and stdout
  $ drydock mcp --tools 'execute_*,session_*'     offer some of the tools only
  $ drydock mcp --extensions git,csv              offer what these extensions declare as well
  $ drydock mcp test --command python3 server.py  see whether a server works in the sandbox
  $ drydock mcp test --url http://localhost:3000/mcp`;

export function defineCommand(program: Command, context: CommandContext): void {
  const mcp = program
    .command("mcp")
    .summary("offer Drydock to agents as an MCP server; test other MCP servers")
    .description("Serves MCP over standard input and output, until the client disconnects.")
    .option("--workspace <dir>", "a directory that clients may name, with all below it; can be repeated", collect)
    .option(
      "--tools <patterns>",
      "offer only these tools, separated by commas; '*' for all, also those for plans and tasks",
    )
    .option("--extensions <names>", "offer the actions of these extensions as tools, separated by commas; '*' for all")
    .option("--model <id>", "the model for goals and tasks (default: as configured)")
    .addOption(debugOption())
    .addHelpText("after", HELP)
    .action(async (flags: ServeFlags) => {
      using interrupts = watchInterrupts();
      const { serveMcpOverStdio } = await import("../../mcp/index.ts");
      const options = {
        workspaces: flags.workspace?.map((directory) => resolve(directory)),
        tools: flags.tools === undefined ? undefined : readList(flags.tools),
        extensions: flags.extensions === undefined ? undefined : readList(flags.extensions),
        model: flags.model,
        stdin: process.stdin,
        stdout: process.stdout,
        signal: interrupts.signal,
        // Standard output belongs to the protocol.
        onProblem: (error: Error) => context.terminal.err(`${error.message}\n`),
      };
      const watch = flags.debug
        ? (await import("../../terminal/debug/index.ts")).watchRuns(context.terminal)
        : undefined;
      const serveOn = async (dock: Dock) => {
        await watch?.start(dock);
        return serveMcpOverStdio(dock, options);
      };
      await useDock(serveOn, { onEvents: watch?.onEvents });
    });
  defineTest(mcp, context);
}

function defineTest(mcp: Command, { terminal, trailing }: CommandContext): void {
  mcp
    .command("test")
    .description("Connects to an MCP server, lists its tools, and ends it. A command runs in the sandbox.")
    .usage("[options] (--command PROGRAM ARG… | --url URL | -- PROGRAM ARG…)")
    .option("--command <words...>", "the program of a server that speaks over stdin and stdout")
    .option("--url <url>", "the address of a server that speaks over HTTP; the policy must allow its host")
    .addOption(new Option("--transport <kind>", "for --url (default: whichever works)").choices(["http", "sse"]))
    .option("--header <text>", "for --url: 'Name: value', sent with each request; can be repeated", collect)
    .option("--name <name>", "the server's name, by which the policy's mcp.allow knows it (default: server)")
    .option("--workspace <dir>", "for --command: the directory that the program sees")
    .option("--net <hosts>", "for --command: hosts it may reach: HOST:PORT, separated by commas", collectHosts)
    .option("--timeout <seconds>", "how long it may take to answer (default: 30)", parsePositive)
    .addOption(jsonOption())
    .action(async (flags: TestFlags) => {
      using interrupts = watchInterrupts();
      const { loadMcpTest } = await import("../../../tasks/index.ts");
      const { loadToolHost } = await import("../../../app/index.ts");
      const [{ testMcpServer }, { createToolHost }] = await Promise.all([loadMcpTest(), loadToolHost()]);
      const spec = readSpec(flags, trailing);
      const result = await useDock((dock) => testMcpServer(createToolHost(dock), spec, interrupts.signal));
      terminal.out(flags.json ? `${JSON.stringify(result)}\n` : renderMcpTest(result, terminal.outColors));
    });
}

function readSpec(flags: TestFlags, trailing: readonly string[] | null) {
  return {
    name: flags.name ?? "server",
    command: flags.command || trailing ? [...(flags.command ?? []), ...(trailing ?? [])] : undefined,
    url: flags.url,
    transport: flags.transport,
    headers: flags.header && Object.fromEntries(flags.header.map(readHeader)),
    workspace: flags.workspace === undefined ? undefined : resolve(flags.workspace),
    policy: flags.net && { network: { allow: flags.net } },
    startSeconds: flags.timeout,
  };
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(":");
  if (colon > 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  throw new DrydockError(
    "input.invalid",
    `--header ${text} has no value.`,
    "As in --header 'Authorization: Bearer …'.",
  );
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}
