import type { PolicyEdit, PolicyRow, PolicyValue } from "../../../policy/index.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { cleanLine } from "./clean-text.ts";
import { renderTable } from "./render-table.ts";

const VALUE_CHARS = 60;

/** Each value with its ceiling, where that is another, and the source that set it. */
export function renderExplanation(
  rows: readonly PolicyRow[],
  { outColors, columns }: Pick<Terminal, "outColors" | "columns">,
): string {
  const head = ["KEY", "VALUE", "CEILING", "FROM"].map((text) => ({ text, paint: outColors.dim }));
  const body = rows.flatMap(splitEntries).map(({ key, value, ceiling, source, where }) => {
    const [shown, most] = [renderValue(value), renderValue(ceiling)];
    return [
      key,
      shown,
      { text: JSON.stringify(value) === JSON.stringify(ceiling) ? "=" : most, paint: outColors.dim },
      { text: where === "" ? source : `${source} ${cleanLine(where)}`, paint: outColors.cyan },
    ];
  });
  return renderTable([head, ...body], { columns });
}

/** A list whose entries come from several sources takes a line for each. */
function splitEntries(row: PolicyRow): PolicyRow[] {
  const { entries } = row;
  if (!entries) return [row];
  return entries.map(({ value, source, where }) => ({ ...row, value: [value], ceiling: [value], source, where }));
}

function renderValue(value: PolicyValue): string {
  const text = cleanLine(Array.isArray(value) ? `[${value.join(", ")}]` : String(value));
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS - 1)}…` : text;
}

export function renderEdit({ file, added, already }: PolicyEdit, colors: Colors): string {
  const lines = [
    ...added.map((value) => `${colors.green("✓")} ${cleanLine(value)} is allowed from now on`),
    ...already.map((value) => `${colors.dim("=")} ${cleanLine(value)} was allowed already`),
  ];
  return `${lines.join("\n")}\n  (${file})\n`;
}
