import type { RunEvent } from "@drydock/protocol";
import { cleanLine } from "../../terminal/clean-text.ts";
import { renderTime } from "../../terminal/render/render-quantities.ts";
import { renderTable } from "../../terminal/render/render-table.ts";
import type { Colors, Terminal } from "../../terminal/terminal.ts";

const DATA_CHARS = 200;

/** One event a line: number, time, what, and the beginning of its particulars. */
export function renderEvents(
  events: readonly RunEvent[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  const rows = events.map(({ seq, at, type, data }) => [
    { text: String(seq).padStart(4), paint: outColors.dim },
    renderTime(at),
    { text: type.padEnd(17), paint: paintType(type, outColors) },
    { text: cleanLine(JSON.stringify(data)).slice(0, DATA_CHARS), paint: outColors.dim },
  ]);
  return renderTable(rows, { columns });
}

function paintType(type: RunEvent["type"], colors: Colors): (text: string) => string {
  if (type === "run.succeeded") return colors.green;
  if (type === "run.failed" || type === "run.lost" || type === "network.refused") return colors.red;
  return type === "run.cancelled" ? colors.yellow : colors.cyan;
}
