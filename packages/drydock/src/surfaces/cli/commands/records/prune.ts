import { countWord } from "@drydock/protocol";
import { type Command, InvalidArgumentError } from "commander";
import type { Dock } from "../../../../app/index.ts";
import { renderBytes } from "../../../terminal/render/render-quantities.ts";
import type { Colors } from "../../../terminal/terminal.ts";
import { useDock } from "../../../terminal/use-dock.ts";
import type { CommandContext } from "../../command-context.ts";
import { jsonOption } from "../../flags/add-flags.ts";
import type { RunFlags } from "../../flags/run-flags.ts";

const HELP = `
Runs that are under way, paused or interrupted stay, and so does what they need. A removed run can't be shown, applied,
reverted or replayed any more. The ledger keeps a checkpoint: \`drydock audit verify\` still holds, and says what was pruned.

Examples:
  $ drydock prune --older-than 30d --dry-run
  $ drydock prune --older-than 30d
  $ drydock prune --older-than 12h --keep-artifacts`;

interface PruneFlags extends RunFlags {
  olderThan: number;
  keepArtifacts?: boolean;
  dryRun?: boolean;
}

export function defineCommand(program: Command, { terminal }: CommandContext): void {
  program
    .command("prune")
    .summary("remove old runs and environments")
    .description("Removes old runs with their files, and environments that nothing uses.")
    .requiredOption("--older-than <age>", "such as 30d, 12h, 90m", parseAge)
    .option("--keep-artifacts", "keep the files that the removed runs created")
    .option("--dry-run", "show what would be removed, without removing it")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async ({ olderThan, keepArtifacts, dryRun, json }: PruneFlags) => {
      const before = new Date(Date.now() - olderThan);
      const report = await useDock((dock) => dock.prune({ before, keepArtifacts, dryRun }));
      terminal.out(json ? `${JSON.stringify(report)}\n` : renderPrune(report, terminal.outColors));
    });
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function parseAge(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  if (length === undefined) throw new InvalidArgumentError("It must be a number with s, m, h, d or w, such as 30d.");
  return Number(count) * length;
}

function renderPrune(
  { dryRun, runs, events, environments, freedBytes, before }: Awaited<ReturnType<Dock["prune"]>>,
  colors: Colors,
): string {
  const verb = dryRun ? "Would remove" : "Removed";
  const what = `${countWord(runs, "run")} (${countWord(events, "event")}) and ${countWord(environments, "environment")} from before ${before}`;
  const freed = dryRun ? "" : `: ${renderBytes(freedBytes)} freed`;
  return `${colors.green("✓")} ${verb} ${what}${freed}.\n`;
}
