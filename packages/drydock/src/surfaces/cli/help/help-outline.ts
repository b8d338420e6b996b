import manifest from "../../../../package.json" with { type: "json" };
import { createTerminal } from "../../terminal/terminal.ts";
import { COMMANDS } from "../commands/index.ts";
import { createProgram } from "../create-program.ts";
import type { HelpOutline } from "./print-help.ts";

/** Run by the build: the list of commands, so that the help needs none of their code. */
export function writeHelpOutline(): HelpOutline {
  const terminal = createTerminal(process.stdout, process.stderr);
  const program = createProgram(manifest.version, terminal);
  for (const { defineCommand } of COMMANDS) {
    defineCommand(program, { terminal, trailing: null, status: 0, early: null });
  }
  const help = program.createHelp();
  const commands = help
    .visibleCommands(program)
    .map((command) => ({ term: help.subcommandTerm(command), description: help.subcommandDescription(command) }));
  return { version: manifest.version, commands };
}
