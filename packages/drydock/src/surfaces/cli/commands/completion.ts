import { Argument, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { writeBashScript } from "../completion/bash-script.ts";
import { writeFishScript } from "../completion/fish-script.ts";
import { type KnownCommand, listCommands } from "../completion/list-commands.ts";
import { writeZshScript } from "../completion/zsh-script.ts";
import { POLICY_KEY, POLICY_KIND } from "./policy.ts";

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
      "Prints a script for the Tab key. It completes commands, options and their values, ids of runs and sessions, and lines of drydock do.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", HELP)
    .action(async (shell: keyof typeof SCRIPTS) => {
      const { ALLOW_KINDS, POLICY_KEYS } = await import("../../../policy/index.ts");
      const keys = POLICY_KEYS.flatMap(({ path, ranged }) => (ranged ? [path, `${path}.max`] : [path]));
      terminal.out(SCRIPTS[shell](listCommands(program, { [POLICY_KEY]: keys, [POLICY_KIND]: ALLOW_KINDS })));
    });
}
