import type { Check } from "@drydock/protocol";
import type { Terminal } from "../../terminal/terminal.ts";
import { cut } from "../../terminal/text-width.ts";
import { labelCheck } from "../goal/label-check.ts";
import { reportPhases } from "../goal/report-phases.ts";

/** Which check runs: one line that goes with its result on a terminal, and a line where it takes long elsewhere. */
export function showRunning(terminal: Terminal, isSilent: boolean) {
  const { err, control, errColors, isErrorTerminal } = terminal;
  const phases = reportPhases(terminal);
  let isOpen = false;
  const end = () => {
    if (isOpen) control.err("\r\x1b[K");
    isOpen = false;
    phases.close();
  };
  const begin = (check: Check) => {
    if (isSilent) return;
    end();
    if (!isErrorTerminal) return phases.begin("verify", check);
    const room = (terminal.errorColumns() ?? 80) - 1;
    if (room < 4) return;
    err(errColors.dim(cut(`… ${labelCheck(check)}`, room)));
    isOpen = true;
  };
  return { begin, end };
}
