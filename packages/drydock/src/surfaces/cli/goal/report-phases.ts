import type { Check, CheckPhase } from "@drydock/protocol";
import type { Terminal } from "../../terminal/terminal.ts";
import { labelCheck } from "./label-check.ts";

export const PHASES: Record<CheckPhase, string> = {
  untouched: "on the untouched tree",
  result: "on the result",
  control: "with wrong expectations (control)",
};

/** For shorter phases, only the result is printed. */
const PATIENCE_MS = 3000;
/** How often a wait that goes on is reported again. */
const AGAIN_MS = 30_000;

export interface PhaseReporter {
  /** Without a phase, the check runs once, on what there is. */
  begin(who: string, check: Check, phase?: CheckPhase): void;
  /** Something else was printed. */
  settle(who: string): void;
  close(): void;
}

/** One line on standard error for each part of a check that takes long: a log is not silent for minutes. */
export function reportPhases({ err, errColors }: Pick<Terminal, "err" | "errColors">): PhaseReporter {
  const timers = new Map<string, NodeJS.Timeout>();
  const settle = (who: string) => {
    clearInterval(timers.get(who));
    timers.delete(who);
  };
  return {
    begin(who, check, phase) {
      settle(who);
      const where = phase === undefined ? "" : ` ${PHASES[phase]}`;
      const since = performance.now();
      const report = (more: string) =>
        err(`${errColors.dim(`${who}: running ${labelCheck(check)}${where} …${more}`)}\n`);
      const first = setTimeout(() => {
        report("");
        timers.set(
          who,
          setInterval(() => report(` ${Math.round((performance.now() - since) / 1000)} s`), AGAIN_MS),
        );
      }, PATIENCE_MS);
      timers.set(who, first);
    },
    settle,
    close: () => [...timers.keys()].forEach(settle),
  };
}
