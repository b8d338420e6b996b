import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { renderDelivery, renderDiscarded, renderReverted } from "../render/render-delivery.ts";
import { resolveRunId } from "../resolve-run-id.ts";
import { jsonOption } from "../run-flags.ts";
import { useDock } from "../use-dock.ts";
import { watchInterrupts } from "../watch-interrupts.ts";

interface DeliveryFlags {
  branch?: string;
  json?: boolean;
}

/** What becomes of a run's changes: `apply`, `discard`, `revert`. */
export function defineDelivery(runs: Command, { terminal }: CommandContext): void {
  const print = <T>(told: T, json: boolean | undefined, render: (told: T) => string) =>
    terminal.out(json ? `${JSON.stringify(told)}\n` : render(told));
  runs
    .command("apply")
    .description(
      "Puts what a run changed into its workspace: all of it, or nothing where your own changes are in the way.",
    )
    .argument("<id>", "the run")
    .option("--branch <name>", "commit it on a new git branch instead, and touch no file")
    .addOption(jsonOption())
    .action(async (id: string, { branch, json }: DeliveryFlags) => {
      using interrupts = watchInterrupts();
      const { signal } = interrupts;
      const told = await useDock(async (dock) =>
        dock.runs.apply(await resolveRunId(dock.runs, id), { branch, signal }),
      );
      print(told, json, (delivered) => renderDelivery(delivered, terminal.outColors));
    });
  runs
    .command("revert")
    .description("Undoes an apply: all of it, or nothing where you have changed the same since.")
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action(async (id: string, { json }: DeliveryFlags) => {
      using interrupts = watchInterrupts();
      const { signal } = interrupts;
      const told = await useDock(async (dock) => dock.runs.revert(await resolveRunId(dock.runs, id), { signal }));
      print(told, json, (reverted) => renderReverted(reverted, terminal.outColors));
    });
  runs
    .command("discard")
    .description("Says that what a run changed is not wanted: it can't be applied any more.")
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action(async (id: string, { json }: DeliveryFlags) => {
      const told = await useDock(async (dock) => dock.runs.discard(await resolveRunId(dock.runs, id)));
      print(told, json, renderDiscarded);
    });
}
