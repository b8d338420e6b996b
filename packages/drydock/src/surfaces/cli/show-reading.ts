import { countWord } from "@drydock/protocol";
import type { ScanProgress } from "../../sandbox/index.ts";
import { createProgressLine } from "../terminal/progress-line.ts";
import type { Terminal } from "../terminal/terminal.ts";

const PATIENCE_MS = 1000;

/** How far reading a large workspace is. */
export function showReading(terminal: Terminal, now = () => performance.now()) {
  const since = now();
  const progress = createProgressLine(terminal, { patienceMs: PATIENCE_MS, now });
  let isOver = false;
  return {
    update({ scanned, hashed }: ScanProgress): void {
      if (isOver) return;
      const seconds = Math.round((now() - since) / 1000);
      const counted = `${countWord(scanned, "entry", "entries")}, ${countWord(hashed, "file")} hashed`;
      progress.show(`reading the workspace: ${counted}, ${seconds} s`);
    },
    end(): void {
      progress.end();
      isOver = true;
    },
  };
}
