import { countWord, DrydockError } from "@drydock/protocol";
import type { StrengthOptions } from "../../app/index.ts";
import { createProgressLine } from "../terminal/progress-line.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface StrengthFlags {
  strength?: boolean;
  since?: string;
  minStrength?: number;
  mutants?: number;
  seed?: number;
}

const DEPENDENT = [
  ["since", "--since"],
  ["minStrength", "--min-strength"],
  ["mutants", "--mutants"],
  ["seed", "--seed"],
] as const;

/** The options of the measurement; undefined if none is requested. */
export function readStrengthFlags(flags: StrengthFlags): StrengthOptions | undefined {
  const { strength, since, mutants, seed, minStrength: min } = flags;
  if (strength) {
    if (mutants !== 0) return { since, mutants, seed, min };
    throw new DrydockError("input.invalid", "--mutants 0 would try nothing.", "Give a number above 0.");
  }
  const lost = DEPENDENT.find(([name]) => flags[name] !== undefined);
  if (!lost) return undefined;
  throw new DrydockError("input.invalid", `${lost[1]} has no effect without --strength.`, "Add --strength.");
}

/** How far the measurement is. */
export function showStrength(terminal: Terminal, isSilent: boolean) {
  const { show, end } = createProgressLine(terminal);
  const tell: NonNullable<StrengthOptions["onProgress"]> = ({ tried, killed, total }) => {
    if (isSilent) return;
    show(`strength: ${tried} of ${countWord(total, "mutant")} tried, ${killed} killed`, tried >= total);
  };
  return { show: tell, end, [Symbol.dispose]: end };
}
