import { stripVTControlCharacters } from "node:util";
import { filterText } from "../../terminal/filter-output.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { widthOf } from "../../terminal/text-width.ts";

export interface LiveRegion {
  /** Puts these lines in the place of those that were drawn before. No line may be longer than the terminal is wide. */
  draw(lines: readonly string[]): void;
  /** Takes away what is drawn. */
  clear(): void;
}

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
/** Terminals that know it show a frame at once; all others pass over it. */
const BEGIN_FRAME = "\u001b[?2026h";
const END_FRAME = "\u001b[?2026l";
const ERASE_LINE_END = "\u001b[K";
const ERASE_BELOW = "\u001b[J";

/** A part of the terminal that is drawn again and again in the same place, and whose cursor is hidden meanwhile. */
export function createLiveRegion(terminal: Pick<Terminal, "control" | "size">): LiveRegion {
  let drawn: readonly string[] = [];
  let isHidden = false;
  const showCursor = () => {
    if (isHidden) terminal.control.out(SHOW_CURSOR);
    isHidden = false;
    process.off("exit", showCursor);
  };
  const back = () => {
    const columns = terminal.size()?.columns ?? 80;
    // A terminal that became narrower has broken long lines into several.
    const rows = drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns)),
      0,
    );
    return rows > 0 ? `\r\u001b[${rows}A` : "\r";
  };
  return {
    draw(lines) {
      if (lines.length === drawn.length && lines.every((line, index) => line === drawn[index])) return;
      if (!isHidden) process.on("exit", showCursor);
      const text = lines.map((line) => `${filterText(line)}${ERASE_LINE_END}\n`).join("");
      terminal.control.out(`${BEGIN_FRAME}${isHidden ? "" : HIDE_CURSOR}${back()}${text}${ERASE_BELOW}${END_FRAME}`);
      isHidden = true;
      drawn = [...lines];
    },
    clear() {
      if (drawn.length > 0) terminal.control.out(`${back()}${ERASE_BELOW}`);
      drawn = [];
      showCursor();
    },
  };
}
