import type { CapabilityRecord } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTime } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export function renderHistory(
  runs: readonly CapabilityRecord[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  if (runs.length === 0) return "No calls.\n";
  const titles = ["WHEN", "EXTENSION", "CALL", "USER", "SESSION", "OK", "MS", "RUN", "ERROR"];
  const head = titles.map((text) => ({ text, paint: outColors.dim }));
  const rows = runs.map((run) => [
    renderTime(run.createdAt),
    cleanLine(run.extension),
    cleanLine(`/${run.command} ${run.action}`),
    cleanLine(run.user),
    cleanLine(run.session),
    describeEnd(run, outColors),
    run.durationMs === null ? "-" : String(run.durationMs),
    run.id,
    run.errorCode ?? (run.status === "succeeded" ? "" : run.status),
  ]);
  return renderTable([head, ...rows], { right: [6], columns });
}

/** Yes, no, or not yet. */
function describeEnd({ status }: CapabilityRecord, colors: Terminal["outColors"]) {
  if (status === "succeeded") return { text: "✓", paint: colors.green };
  if (status === "running" || status === "paused") return { text: "…", paint: colors.yellow };
  return { text: "✗", paint: colors.red };
}
