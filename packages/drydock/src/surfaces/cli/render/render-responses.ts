import { countWord, type ResponseInfo, type ResponseTotals } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderBytes, renderTime } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export function renderResponses(
  { responses, totals }: { responses: readonly ResponseInfo[]; totals: ResponseTotals },
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  if (totals.responses === 0) return "No responses.\n";
  const head = ["ID", "WHEN", "SIZE", "TYPE", "FROM"].map((text) => ({ text, paint: outColors.dim }));
  const rows = responses.map((info) => [
    info.id,
    renderTime(info.createdAt),
    `${renderBytes(info.size)}${info.truncated ? " (cut)" : ""}`,
    cleanLine(info.mime),
    `/${info.command} ${info.action}`,
  ]);
  const counted = `${countWord(totals.responses, "response")}, ${renderBytes(totals.bytes)}`;
  const cut = totals.truncated === 0 ? "" : `, ${totals.truncated} cut`;
  return `${renderTable([head, ...rows], { right: [2], columns })}${counted}${cut}\n`;
}
