import { resolve } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { type Command, Option } from "commander";
import type { CapabilityContext } from "../../../../app/index.ts";
import { askAtTerminal } from "../../../terminal/decide-approval.ts";
import type { Terminal } from "../../../terminal/terminal.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { readDoWords } from "../../capability/read-do-words.ts";
import { showCapability } from "../../capability/show-capability.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";

interface DoFlags {
  session?: string;
  workspace?: string;
  user?: string;
  model?: string;
  yes?: boolean;
  wait?: boolean;
  json?: boolean;
  complete?: string;
}

const HELP = `
The line is quoted as a whole, or not at all: then options stand before it. Words, quotes and
backslashes are read as in a shell, and nothing else of one is done. {{ last.json.path }} stands
for a part of the session's last response; | gives what one command said to the next.

Examples:
  $ drydock do /help                                     the commands there are
  $ drydock do '/curl --help'                            what one of them takes
  $ drydock do '/curl get https://example.org' --json
  $ drydock do --workspace . /git log --count 3
  $ drydock do '/curl get https://example.org/data.json | /jq .items'

Exit status: 0 done, 1 the tool failed, 2 wrong usage, 3 refused, 4 a limit was reached,
5 a tool or the sandbox is missing, 70 Drydock itself failed, 130 cancelled.`;

export function defineCommand(program: Command, context: CommandContext): void {
  // What stands after the command's own word is the command's, whatever it is called.
  program.enablePositionalOptions();
  program
    .command("do")
    .summary("use an extension: /command action …")
    .description("Runs a command of an extension in the sandbox, under your policy.")
    .usage("[options] ('/COMMAND ACTION …' | /COMMAND ACTION …)")
    .argument("[words...]", "the command line; without it, lists the commands")
    .passThroughOptions()
    .option("--session <id>", "the conversation whose responses are kept and can be used (default: default)")
    .option(
      "--workspace <dir>",
      "a directory whose files the command may use, as far as its extension's permissions go",
    )
    .option("--user <name>", "the user it is done for, for the record (default: owner)")
    .option("--model <id>", "the model for analyses (default: as configured)")
    .option("--yes", "approve in advance")
    .option("--wait", "wait for approval (see drydock approvals)")
    .addOption(jsonOption())
    .addOption(new Option("--complete <line>", "print what could stand where the line ends").hideHelp())
    .addHelpText("after", HELP)
    .action(async (words: string[], _flags: DoFlags, command: Command) => {
      const { line, rest } = readDoWords(words, context.trailing);
      const { operands, unknown } = command.parseOptions([...rest]);
      const [excess] = [...operands, ...unknown];
      if (excess !== undefined) throw refuseExcess(excess);
      await act(context, line, command.opts<DoFlags>());
    });
}

async function act(context: CommandContext, line: string, flags: DoFlags): Promise<void> {
  const { terminal } = context;
  const { session, user, model, workspace, complete } = flags;
  if (complete !== undefined) return printCompletions(terminal, complete);
  await useDock((dock) =>
    showCapability(context, flags, (watching) =>
      dock.extensions.execute(line, {
        ...watching,
        session,
        user,
        model,
        workspace: workspace === undefined ? undefined : resolve(workspace),
        approval: chooseApproval(terminal, flags, watching.signal),
      }),
    ),
  );
}

function chooseApproval(
  terminal: Terminal,
  { yes, wait }: DoFlags,
  signal: AbortSignal,
): CapabilityContext["approval"] {
  if (yes) return async () => ({ approved: true, reason: "agreed to beforehand, with --yes" });
  if (wait) return "wait";
  return askAtTerminal(terminal, signal) ?? "deny";
}

/** For shells: the word that is being typed, then what it could be, each with what it is. */
async function printCompletions(terminal: Terminal, line: string): Promise<void> {
  const { findBegunWord } = await import("../../../../extensions/index.ts");
  const found = await useDock((dock) => dock.extensions.complete(line));
  terminal.out(`${findBegunWord(line)}\n`);
  for (const { word, description } of found) terminal.out(`${word}\t${description.replace(/\s+/g, " ")}\n`);
}

function refuseExcess(word: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `${word} is too much: the line before it is quoted as a whole.`,
    "Put it into the quotes, or quote nothing but the values. Options of drydock do: see drydock do --help.",
  );
}
