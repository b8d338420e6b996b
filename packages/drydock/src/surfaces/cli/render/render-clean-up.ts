import { countWord } from "@drydock/protocol";
import type { DiskUsage, PruneReport } from "../../../app/index.ts";
import { renderBytes } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors } from "../../terminal/terminal.ts";

export function renderUsage({ home, totalBytes, parts }: DiskUsage): string {
  const shown = parts.filter(({ bytes }) => bytes > 0);
  const rows = shown.map(({ name, bytes, detail }) => [name, renderBytes(bytes), detail]);
  return renderTable([...rows, ["total", renderBytes(totalBytes), home]], { right: [1] });
}

export function renderPrune(
  { dryRun, runs, events, environments, freedBytes, before }: PruneReport,
  colors: Colors,
): string {
  const verb = dryRun ? "Would remove" : "Removed";
  const what = `${countWord(runs, "run")} (${countWord(events, "event")}) and ${countWord(environments, "environment")} from before ${before}`;
  const freed = dryRun ? "" : `: ${renderBytes(freedBytes)} freed`;
  return `${colors.green("✓")} ${verb} ${what}${freed}.\n`;
}
