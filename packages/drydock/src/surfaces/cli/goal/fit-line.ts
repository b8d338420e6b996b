import type { Cell } from "../../terminal/render/render-table.ts";
import { cut, widthOf } from "../../terminal/text-width.ts";

/** Cells one after the other, painted, and cut where the line is full. */
export function fitLine(cells: readonly Cell[], columns: number | undefined): string {
  let left = columns ?? Number.POSITIVE_INFINITY;
  let line = "";
  for (const { text, paint = (plain: string) => plain } of cells) {
    if (text === "") continue;
    const width = widthOf(text);
    if (width <= left) {
      line += paint(text);
      left -= width;
      continue;
    }
    // The cut itself needs room for its mark.
    if (left >= 4) line += paint(cut(text, left));
    break;
  }
  return line;
}
