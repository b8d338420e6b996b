import type { Command } from "commander";
import { type ApplyOptions, type Delivered, type Dock, readAutorun } from "../../../../app/index.ts";
import { askYesNo, canAsk } from "../../../terminal/ask-yes-no.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import { watchInterrupts } from "../../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import { renderAutorun } from "../../render/render-autorun.ts";
import { renderDelivery, renderDiscarded, renderReverted } from "../../render/render-delivery.ts";
import { resolveRunId } from "../../resolve-run-id.ts";

interface DeliveryFlags {
  branch?: string;
  allowAutorun?: boolean;
  allowUnproven?: boolean;
  includeIgnored?: boolean;
  json?: boolean;
}

/** What becomes of a run's changes: `apply`, `discard`, `revert`. */
export function defineDelivery(runs: Command, context: CommandContext): void {
  const { terminal } = context;
  const print = <T>(result: T, json: boolean | undefined, render: (result: T) => string) =>
    terminal.out(json ? `${JSON.stringify(result)}\n` : render(result));
  runs
    .command("apply")
    .description(
      "Delivers the changes of a run to its workspace: all of them, or none if they conflict with your own changes.",
    )
    .argument("<id>", "the run")
    .option("--branch <name>", "commit on a new git branch instead of changing files")
    .option("--allow-autorun", "allow files that programs run on their own: .envrc, CI files, install scripts, …")
    .option(
      "--allow-unproven",
      "deliver an unproven change (its checks pass with and without it) that you have reviewed",
    )
    .option("--include-ignored", "also deliver new files that git ignores, and caches of tools")
    .addOption(jsonOption())
    .action(async (id: string, { json, ...flags }: DeliveryFlags) => {
      using interrupts = watchInterrupts();
      const options = { ...flags, signal: interrupts.signal };
      const result = await useDock(async (dock) => {
        const runId = await resolveRunId(dock.runs, id);
        return json || !canAsk() ? dock.runs.apply(runId, options) : applyWithQuestion(dock, runId, options);
      });
      if (result.outcome === "nothing") context.status = 1;
      print(result, json, (delivered) => renderDelivery(delivered, terminal.outColors));
    });
  runs
    .command("revert")
    .description("Undoes an apply: all of it, or nothing if you have changed the same lines since.")
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action(async (id: string, { json }: DeliveryFlags) => {
      using interrupts = watchInterrupts();
      const { signal } = interrupts;
      const { result, verdict } = await useDock(async ({ runs: all }) => {
        const runId = await resolveRunId(all, id);
        return { result: await all.revert(runId, { signal }), verdict: (await all.get(runId)).verdict };
      });
      print(result, json, (reverted) => renderReverted(reverted, verdict, terminal.outColors));
    });
  runs
    .command("discard")
    .description("Discards the changes of a run: they can't be applied any more.")
    .argument("<id>", "the run")
    .addOption(jsonOption())
    .action(async (id: string, { json }: DeliveryFlags) => {
      const result = await useDock(async (dock) => dock.runs.discard(await resolveRunId(dock.runs, id)));
      print(result, json, renderDiscarded);
    });
}

/** Somebody who sits at a terminal can agree at once. A no is the error that there is without a terminal. */
async function applyWithQuestion(
  { runs }: Dock,
  runId: string,
  options: ApplyOptions & { signal: AbortSignal },
): Promise<Delivered> {
  try {
    return await runs.apply(runId, options);
  } catch (error) {
    const files = readAutorun(error);
    if (files.length === 0) throw error;
    const text = `Other programs execute these files automatically:\n${renderAutorun(files)}Deliver them anyway?`;
    if (!(await askYesNo({ text, signal: options.signal }))) throw error;
    return runs.apply(runId, { ...options, allowAutorun: true });
  }
}
