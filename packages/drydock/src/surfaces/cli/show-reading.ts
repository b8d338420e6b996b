import type { ScanProgress } from "../../sandbox/index.ts";
import type { Terminal } from "./terminal.ts";

/** Whoever waits for less is not told. */
const PATIENCE_MS = 1000;
const EVERY_MS = { terminal: 200, log: 10_000 };

/** How far reading a large workspace is: one line that goes again on a terminal, a line now and then elsewhere. */
export function showReading({ err, control, errColors, isOutputTerminal }: Terminal, now = () => performance.now()) {
  const since = now();
  let nextAt = since + PATIENCE_MS;
  let isOpen = false;
  let isOver = false;
  return {
    tell({ scanned, hashed }: ScanProgress): void {
      if (isOver || now() < nextAt) return;
      nextAt = now() + (isOutputTerminal ? EVERY_MS.terminal : EVERY_MS.log);
      const seconds = Math.round((now() - since) / 1000);
      const text = `reading the workspace: ${scanned.toLocaleString("en")} entries, ${hashed.toLocaleString("en")} files hashed, ${seconds} s`;
      if (isOutputTerminal) control.err(`\r\x1b[K${errColors.dim(text)}`);
      else err(`${text}\n`);
      isOpen = isOutputTerminal;
    },
    end(): void {
      if (isOpen) control.err("\r\x1b[K");
      isOpen = false;
      isOver = true;
    },
  };
}
