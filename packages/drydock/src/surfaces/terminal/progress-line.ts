import type { Terminal } from "./terminal.ts";
import { cut } from "./text-width.ts";

const EVERY_MS = { terminal: 100, log: 5000 };
const CLEAR_LINE = "\r\x1b[K";

interface ProgressOptions {
  /** Progress is shown only after this time: a short wait needs none. Default: 0 on a terminal. */
  patienceMs?: number;
  now?: () => number;
}

export interface ProgressLine {
  /** The text of the moment. Most are passed over; `isLast` is shown in any case. */
  show(text: string, isLast?: boolean): void;
  /** Removes the line. */
  end(): void;
}

type ProgressTerminal = Pick<Terminal, "err" | "control" | "errColors" | "isErrorTerminal" | "errorColumns">;

/**
 * Progress on standard error. On a terminal it is one line, cut to the terminal's width and written over in place; a line
 * that the terminal breaks in two could not be. Elsewhere it is a line every few seconds.
 */
export function createProgressLine(terminal: ProgressTerminal, options: ProgressOptions = {}): ProgressLine {
  const { err, control, errColors, isErrorTerminal } = terminal;
  const everyMs = isErrorTerminal ? EVERY_MS.terminal : EVERY_MS.log;
  const { patienceMs = isErrorTerminal ? 0 : everyMs, now = () => performance.now() } = options;
  let nextAt = now() + patienceMs;
  let isOpen = false;
  return {
    show(text, isLast = false) {
      if (now() < nextAt && !isLast) return;
      nextAt = now() + everyMs;
      if (!isErrorTerminal) return err(`${text}\n`);
      // The last column stays free: some terminals go to the next line as soon as it is written.
      const room = (terminal.errorColumns() ?? 80) - 1;
      if (room < 4) return;
      control.err(`${CLEAR_LINE}${errColors.dim(cut(text, room))}`);
      isOpen = true;
    },
    end() {
      if (isOpen) control.err(CLEAR_LINE);
      isOpen = false;
    },
  };
}
