import type { Command } from "commander";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
A plugin is a directory with a plugin.yaml and a program. The program runs in the sandbox and offers runners: what
answers the events of an agent (drydock agent).

Examples:
  $ drydock plugin lint runners/echo
  $ drydock plugin add runners/echo
  $ drydock plugin list`;

export function defineCommand(program: Command, context: CommandContext): void {
  const plugin = program
    .command("plugin")
    .summary("plugins with runners for agents: add, list, remove")
    .description("Plugins whose runners answer the events of agents.")
    .addHelpText("afterAll", HELP);
  defineLint(plugin, context);
  defineAdd(plugin, context);
  defineList(plugin, context);
  defineRemove(plugin, context);
}

function defineLint(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("lint")
    .description("Checks the plugin in a directory. Nothing is started.")
    .argument("<directory>", "a directory with a plugin.yaml")
    .addOption(jsonOption())
    .action(async (directory: string, { json }: RunFlags) => {
      const manifest = await useDock((dock) => dock.host.plugins.check(directory));
      const { author, name, version } = manifest;
      terminal.out(json ? `${JSON.stringify(manifest)}\n` : `${author}/${name} ${version} is valid.\n`);
    });
}

function defineAdd(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("add")
    .description("Installs the plugin in a directory, in place of an earlier version.")
    .argument("<directory>", "a directory with a plugin.yaml")
    .addOption(jsonOption())
    .action(async (directory: string, { json }: RunFlags) => {
      const added = await useDock((dock) => dock.host.plugins.add(directory));
      if (json) return terminal.out(`${JSON.stringify(added)}\n`);
      const { hosts, environment } = added.sandbox;
      terminal.out(`${added.id} ${added.version} is installed.\n`);
      terminal.out(
        `It asks for hosts: ${hosts.join(", ") || "none"}; variables: ${environment.join(", ") || "none"}.\n`,
      );
      if (hosts.length + environment.length > 0) terminal.out("Your policy decides what of that it gets.\n");
    });
}

function defineList(plugin: Command, { terminal }: CommandContext): void {
  plugin
    .command("list")
    .description("Lists the installed plugins with their runners. Each plugin is started for it.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const { plugins, runners, warnings } = await useDock(async (dock) => {
        const installed = await dock.host.plugins.list();
        return { plugins: installed, ...(await dock.host.plugins.runners()) };
      });
      if (json) return terminal.out(`${JSON.stringify({ plugins, runners, warnings })}\n`);
      if (plugins.length === 0) return terminal.out("No plugins. `drydock plugin add DIRECTORY` installs one.\n");
      const ofPlugin = (author: string, name: string) =>
        runners.filter(({ plugin_author, plugin_name }) => plugin_author === author && plugin_name === name);
      const rows = plugins.map(({ id, author, name, version, runtime }) => [
        ...[id, version, runtime],
        ofPlugin(author, name)
          .map(({ manifest }) => manifest.id)
          .join(", ") || "none",
      ]);
      terminal.out(renderTable([["PLUGIN", "VERSION", "RUNTIME", "RUNNERS"], ...rows], { columns: terminal.columns }));
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
