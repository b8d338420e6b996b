import type { Command } from "commander";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { defineAdd } from "./plugin-add.ts";
import { defineAuthoring } from "./plugin-authoring.ts";
import { defineDev } from "./plugin-dev.ts";

const HELP = `
A plugin is a directory with a plugin.yaml and a program. The program runs in the sandbox and offers runners: what
answers the events of an agent (drydock agent).

Examples:
  $ drydock plugin new ada/greeter --lang python
  $ drydock plugin lint greeter
  $ drydock plugin dev greeter
  $ drydock plugin pack greeter
  $ drydock plugin add ada-greeter-0.1.0.tgz
  $ drydock plugin list`;

export function defineCommand(program: Command, context: CommandContext): void {
  const plugin = program
    .command("plugin")
    .summary("plugins with runners for agents: new, lint, dev, pack, add, list, remove")
    .description("Plugins whose runners answer the events of agents.")
    .addHelpText("afterAll", HELP);
  defineAuthoring(plugin, context);
  defineDev(plugin, context);
  defineAdd(plugin, context);
  defineList(plugin, context);
  defineRemove(plugin, context);
}

function defineList(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("list")
    .description("Lists the plugins with their runners. Each plugin is started for it.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const { plugins, runners, warnings } = await useDock(async (dock) => {
        const installed = await dock.host.plugins.list();
        return { plugins: installed, ...(await dock.host.plugins.runners()) };
      });
      if (json) return terminal.out(`${JSON.stringify({ plugins, runners, warnings })}\n`);
      const ofPlugin = (author: string, name: string) =>
        runners.filter(({ plugin_author, plugin_name }) => plugin_author === author && plugin_name === name);
      const rows = plugins.map(({ id, author, name, version, runtime, origin }) => [
        ...[cleanLine(id), version, runtime, origin],
        ofPlugin(author, name)
          .map(({ manifest }) => manifest.id)
          .join(", ") || "none",
      ]);
      const head = ["PLUGIN", "VERSION", "RUNTIME", "FROM", "RUNNERS"];
      terminal.out(renderTable([head, ...rows], { columns: terminal.columns }));
      for (const warning of warnings) terminal.err(`! ${cleanLine(warning)}\n`);
    });
}

function defineRemove(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("remove")
    .description("Removes a plugin. Agents with its runners stay, and can't answer until it is back.")
    .argument("<id>", "AUTHOR/NAME")
    .addOption(jsonOption())
    .action(async (id: string, { json }: RunFlags) => {
      const removed = await useDock((dock) => dock.host.plugins.remove(id));
      terminal.out(json ? `${JSON.stringify(removed)}\n` : `${removed.id} is removed.\n`);
    });
}
