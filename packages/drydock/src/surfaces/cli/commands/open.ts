import { DrydockError } from "@drydock/protocol";
import type { Command } from "commander";
import { loadServerAddress, readConfig } from "../../../app/index.ts";
import type { CommandContext } from "../command-context.ts";

interface OpenFlags {
  url?: string;
  print?: boolean;
}

const HELP = `
The address has a code that signs one browser in, once, within ten minutes. It opens what the owner's
token opens; the browser gets a cookie for it, and never the token.

Examples:
  $ drydock open
  $ drydock open --print`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  program
    .command("open")
    .summary("the console of the server that runs, in the browser")
    .description("Opens the console of the running server in the browser, signed in.")
    .option("--url <url>", "the server's address (default: that of the server that was started last)")
    .option("--print", "print the address, and open nothing")
    .addHelpText("after", HELP)
    .action(async ({ url, print }: OpenFlags) => {
      const { home } = readConfig();
      const { findServer } = await loadServerAddress();
      const server = url === undefined ? findServer(home) : { url: readUrl(url), auth: true };
      if (server === null || !(await answers(server.url))) throw noServer(server?.url);
      const { writeConsoleAddress, readToken } = await import("../../http/index.ts");
      const token = server.auth ? (await readToken(home)).token : null;
      const address = await writeConsoleAddress(server.url, home, token);
      if (print) return terminal.out(`${address}\n`);
      const { openBrowser } = await import("../open-browser.ts");
      const opened = await openBrowser(home, address);
      terminal.out(opened ? `The console opens in your browser.\n` : `Open this address in a browser:\n${address}\n`);
    });
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  const hint = "Give it as `drydock serve` printed it, such as http://127.0.0.1:8088.";
  throw new DrydockError("input.invalid", `${text} is no address of a server.`, hint);
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  return response?.ok === true;
}

function noServer(url: string | undefined): DrydockError {
  const hint = "Start one with `drydock serve`, or name its address with --url.";
  const message = url === undefined ? "No server of this home runs." : `No server answers at ${url}.`;
  return new DrydockError("input.invalid", message, hint);
}
