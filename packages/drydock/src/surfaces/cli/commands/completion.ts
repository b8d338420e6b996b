import { Argument, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { writeBashScript } from "../completion/bash-script.ts";
import { writeFishScript } from "../completion/fish-script.ts";
import { type KnownCommand, listCommands } from "../completion/list-commands.ts";
import { writeZshScript } from "../completion/zsh-script.ts";

const HELP = `
Examples:
  $ source <(drydock completion bash)                          in this shell
  $ echo 'source <(drydock completion bash)' >> ~/.bashrc      in each new one
  $ echo 'source <(drydock completion zsh)' >> ~/.zshrc        after compinit
  $ drydock completion fish > ~/.config/fish/completions/drydock.fish`;

const SCRIPTS = { bash: writeBashScript, zsh: writeZshScript, fish: writeFishScript } satisfies Record<
  string,
  (commands: readonly KnownCommand[]) => string
>;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  program
    .command("completion")
    .summary("print a completion script for your shell")
    .description(
      "Prints a script that completes drydock's commands, ids of runs, and lines of drydock do, with the Tab key.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", HELP)
    .action((shell: keyof typeof SCRIPTS) => terminal.out(SCRIPTS[shell](listCommands(program))));
}
