import type { Check } from "@drydock/protocol";
import { labelCheck } from "./goal/label-check.ts";
import { tellPhases } from "./goal/tell-phases.ts";
import { cut } from "./render/render-table.ts";
import type { Terminal } from "./terminal.ts";

/** Which check runs: one line that goes with its result on a terminal, and a line where it takes long elsewhere. */
export function showRunning(terminal: Terminal, isSilent: boolean) {
  const { err, control, errColors, isOutputTerminal, columns } = terminal;
  const phases = tellPhases(terminal);
  let isOpen = false;
  const end = () => {
    if (isOpen) control.err("\r\x1b[K");
    isOpen = false;
    phases.close();
  };
  const begin = (check: Check) => {
    if (isSilent) return;
    end();
    if (!isOutputTerminal) return phases.begin("verify", check);
    err(errColors.dim(cut(`… ${labelCheck(check)}`, Math.max(20, (columns ?? 80) - 1))));
    isOpen = true;
  };
  return { begin, end };
}
