import type { Command } from "commander";
import type { Dock } from "../../../../app/index.ts";
import { renderBytes } from "../../../terminal/render/render-quantities.ts";
import { renderTable } from "../../../terminal/render/render-table.ts";
import { useRecords } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  program
    .command("du")
    .summary("show what uses space in Drydock's home")
    .description("Shows what uses space in Drydock's home: runs, artifacts, layers, caches, environments.")
    .addOption(jsonOption())
    .action(async ({ json }: RunFlags) => {
      const usage = await useRecords((dock) => dock.diskUsage());
      terminal.out(json ? `${JSON.stringify(usage)}\n` : renderUsage(usage));
    });
}

function renderUsage({ home, totalBytes, parts }: Awaited<ReturnType<Dock["diskUsage"]>>): string {
  const shown = parts.filter(({ bytes }) => bytes > 0);
  const rows = shown.map(({ name, bytes, detail }) => [name, renderBytes(bytes), detail]);
  return renderTable([...rows, ["total", renderBytes(totalBytes), home]], { right: [1] });
}
