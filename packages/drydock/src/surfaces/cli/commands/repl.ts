import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { EXEC_FLAGS } from "../exec/exec-flags.ts";
import { addFlags, debugOption } from "../flags/add-flags.ts";
import type { FlagsOf } from "../flags/flag.ts";
import { RUN_FLAGS } from "../flags/run-flags.ts";
import { readRunPolicy } from "../read-run-policy.ts";

/** Options that whatever executes code has, too. */
const SESSION_FLAGS = {
  timeout: { ...RUN_FLAGS.timeout, help: "stop a step after this many seconds (default: 30)" },
  memory: RUN_FLAGS.memory,
  net: RUN_FLAGS.net,
  policy: RUN_FLAGS.policy,
  requirements: EXEC_FLAGS.requirements,
  install: EXEC_FLAGS.install,
} as const;

interface ReplFlags extends FlagsOf<typeof SESSION_FLAGS> {
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
  $ drydock repl --requirements requirements.txt --install
  $ drydock repl --net example.org:443 --timeout 120
  $ echo 'print(6 * 7)' | drydock repl

Exit status: 0. With input from a pipe, that of the first step that failed.`;

export function defineCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("repl")
    .summary("interactive prompt: run code, call agents, ask a model")
    .description("An interactive prompt: code runs in a sandbox session, other text goes to agents or the model.")
    .argument("[agents]", "a file that exports agents; it runs as your own code, outside the sandbox")
    .option("--unsafe", "turn off the Python guard (lists of imports and calls); the sandbox stays on")
    .option("--model <id>", "PROVIDER/NAME, or several separated by commas (fallbacks), or scripted:FILE")
    .addOption(new Option("--lang <language>", "the session's language").choices(["python", "node"]).default("python"))
    .option("--workspace <dir>", "the directory that the code sees; it is never changed");
  addFlags(command, SESSION_FLAGS)
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
        policy: await readRunPolicy(flags),
        packages: readPackages(flags),
        isDebugging: flags.debug === true,
      });
    });
}

function readPackages({ lang, requirements, install = false }: ReplFlags) {
  if (requirements === undefined) {
    if (install)
      throw new DrydockError("input.invalid", "--install has nothing to install.", "Add --requirements FILE.");
    return undefined;
  }
  if (lang === "node") {
    const message = "Requirements are Python packages, and the session is Node's.";
    throw new DrydockError("input.invalid", message, "Leave out --requirements, or --lang node.");
  }
  return { requirements: resolve(requirements), install };
}
