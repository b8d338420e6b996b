import { cut, widthOf } from "../text-width.ts";

export interface Cell {
  text: string;
  paint?: (text: string) => string;
}

export interface TableOptions {
  /** Columns, counted from 0, whose cells stand at the right. */
  right?: readonly number[];
  /** Longer lines are cut in their last column. */
  columns?: number | undefined;
}

const GAP = "  ";

/** Rows in aligned columns; the last column is not padded. Empty for no rows. */
export function renderTable(rows: readonly (readonly (string | Cell)[])[], options: TableOptions = {}): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "string" ? { text: cell } : cell) as Cell));
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell.text));
    });
  }
  return cells.map((row) => `${renderRow(row, widths, options)}\n`).join("");
}

function renderRow(row: readonly Cell[], widths: readonly number[], { right = [], columns }: TableOptions): string {
  let used = 0;
  const parts = row.map(({ text, paint = (plain) => plain }, index) => {
    const isLast = index === row.length - 1;
    const width = widths[index] ?? 0;
    const shown = isLast && columns !== undefined ? cut(text, columns - used) : text;
    const padding = " ".repeat(Math.max(0, width - widthOf(shown)));
    used += width + GAP.length;
    if (right.includes(index)) return padding + paint(shown);
    return isLast ? paint(shown) : paint(shown) + padding;
  });
  return parts.join(GAP).trimEnd();
}
