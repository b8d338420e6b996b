import { Argument, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { writeBashScript } from "../completion/bash-script.ts";
import { listCommands } from "../completion/list-commands.ts";
import { writeZshScript } from "../completion/zsh-script.ts";

const HELP = `
Examples:
  $ source <(drydock completion bash)                          in this shell
  $ echo 'source <(drydock completion bash)' >> ~/.bashrc      in each new one
  $ echo 'source <(drydock completion zsh)' >> ~/.zshrc        after compinit`;

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  program
    .command("completion")
    .summary("print a completion script for your shell")
    .description("Prints a script that completes drydock's commands, and lines of drydock do, with the Tab key.")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh"]))
    .addHelpText("after", HELP)
    .action((shell: "bash" | "zsh") => {
      const commands = listCommands(program);
      terminal.out(shell === "bash" ? writeBashScript(commands) : writeZshScript(commands));
    });
}
