import type { HostStatus } from "@drydock/protocol";
import type { Command } from "commander";
import { cleanLine } from "../../../terminal/clean-text.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
Processes of plugins belong to the program that started them. \`drydock host status\` shows what is on record and what
is installed; GET /host/status of a server shows its processes as well.

Example:
  $ drydock host status`;

export function defineCommand(program: Command, context: CommandContext): void {
  const host = program
    .command("host")
    .summary("the host of agents: its status")
    .description("The host of agents.")
    .addHelpText("afterAll", HELP);
  host
    .command("status")
    .description("Shows agents, bindings, conversations, runs under way, and plugins with their problems.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const status = await useDock((dock) => dock.host.status());
      context.terminal.out(json ? `${JSON.stringify(status)}\n` : render(status, context.terminal.columns));
    });
}

function render(status: HostStatus, columns: number | undefined): string {
  const { agents, bindings, conversations, unhandled, running, plugins, warnings } = status;
  const lines = [
    `agents:         ${agents}`,
    `bindings:       ${bindings}`,
    `conversations:  ${conversations}`,
    `under way:      ${running.length === 0 ? "nothing" : running.join(", ")}`,
    ...(unhandled === 0 ? [] : [`not handled:    ${unhandled} events, whose process ended before`]),
  ];
  const rows = plugins.map(({ id, version, problem }) => [
    id,
    version,
    problem === null ? "ready" : cleanLine(problem),
  ]);
  const table = renderTable([["PLUGIN", "VERSION", "STATE"], ...rows], { columns });
  const noted = warnings.map(({ lastAt, kind, count, text }) => [
    ...[lastAt.slice(0, 19).replace("T", " "), kind, String(count), cleanLine(text)],
  ]);
  return [
    `${lines.join("\n")}\n`,
    table,
    ...(noted.length === 0 ? [] : [renderTable([["LAST", "WARNING", "TIMES", "WHAT"], ...noted], { columns })]),
  ].join("");
}
