import type { Command } from "commander";
import { useRecords } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";
import { renderUsage } from "../../render/render-clean-up.ts";

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
