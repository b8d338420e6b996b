import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { debugOption } from "../flags/add-flags.ts";

interface ReplFlags {
  unsafe?: boolean;
  model?: string;
  lang: "python" | "node";
  workspace?: string;
  debug?: boolean;
}

const HELP = `
Code runs in a sandbox session that lives as long as the REPL: variables stay, and a step that
fails changes nothing. Words go to the model, if one is configured. Agents are defined over
several lines and called like functions. /help lists the rest.

Examples:
  $ drydock repl
  $ drydock repl agents.ts --model anthropic/claude-sonnet-4-5
  $ echo 'print(6 * 7)' | drydock repl

Exit status: 0. With input from a pipe, that of the first step that failed.`;

export function defineCommand(program: Command, context: CommandContext): void {
  program
    .command("repl")
    .summary("interactive prompt: run code, call agents, ask a model")
    .description("An interactive prompt: code runs in a sandbox session, other text goes to agents or the model.")
    .argument("[agents]", "a file that exports agents; it runs as your own code, outside the sandbox")
    .option("--unsafe", "turn off the Python guard (lists of imports and calls); the sandbox stays on")
    .option("--model <id>", "PROVIDER/NAME, or several separated by commas (fallbacks), or scripted:FILE")
    .addOption(new Option("--lang <language>", "the session's language").choices(["python", "node"]).default("python"))
    .option("--workspace <dir>", "the directory that the code sees; it is never changed")
    .addOption(debugOption())
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, flags: ReplFlags) => {
      const { runRepl } = await import("../../repl/index.ts");
      context.status = await runRepl(context, {
        file,
        language: flags.lang,
        workspace: flags.workspace === undefined ? undefined : resolve(flags.workspace),
        model: flags.model,
        unsafe: flags.unsafe === true,
        isDebugging: flags.debug === true,
      });
    });
}
