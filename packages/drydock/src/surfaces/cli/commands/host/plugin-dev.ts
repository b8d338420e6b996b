import { once } from "node:events";
import { RUNNER_SOCKET } from "@drydock/protocol/runner";
import type { Command } from "commander";
import { cleanLine, cleanText } from "../../../terminal/clean-text.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";

const HELP = `
While it runs, agents with a runner of this plugin use the files in the directory, in place of an installed version. What
the program writes to stderr is shown. Each change of a file ends its process; the next message starts a new one.

With --attach you start the program yourself, for instance with a debugger. It runs outside of the sandbox then:

  $ drydock plugin dev greeter --attach
  $ ${RUNNER_SOCKET.urlVariable}=… ${RUNNER_SOCKET.tokenVariable}=… node --inspect-brk greeter/main.ts`;

export function defineDev(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("dev")
    .description("Lets agents use the plugin in a directory while you work on it. Ctrl-C ends it.")
    .argument("<directory>", "a directory with a plugin.yaml")
    .option("--attach", "wait for a program that you start yourself")
    .addHelpText("after", HELP)
    .action(async (directory: string, { attach }: { attach?: boolean }) => {
      using interrupts = watchInterrupts();
      const over = AbortSignal.any([interrupts.signal, terminal.closed]);
      await useDock(async (dock) => {
        const development = await dock.host.plugins.develop(directory, {
          attach,
          onLog: (text) => terminal.err(cleanText(text)),
          onChange: (problem) =>
            problem === null
              ? terminal.out("The plugin has changed. The next message uses the new version.\n")
              : terminal.err(`! ${cleanLine(problem)}\n  The version before it stays in use.\n`),
        });
        terminal.out(`${development.id} is used from ${directory}. Ctrl-C ends this.\n`);
        if (development.attach) {
          terminal.out(`export ${RUNNER_SOCKET.urlVariable}=${development.attach.url}\n`);
          terminal.out(`export ${RUNNER_SOCKET.tokenVariable}=${development.attach.token}\n`);
        }
        if (!over.aborted) await once(over, "abort");
        await development.close();
      });
    });
}
