import { DrydockError } from "@drydock/protocol";
import type { StrengthOptions } from "../../app/index.ts";
import type { Terminal } from "./terminal.ts";

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

/** What is asked of the measurement; undefined where none is wanted. */
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

const EVERY_MS = 100;
const EVERY_PLAIN_MS = 5000;

/** How far the measurement is: one line that is written over on a terminal, now and then a line elsewhere. */
export function showStrength({ err, control, errColors, isOutputTerminal }: Terminal, isSilent: boolean) {
  let [shownAt, isOpen] = [performance.now(), false];
  const end = () => {
    if (isOpen) control.err("\r\x1b[K");
    isOpen = false;
  };
  const show: NonNullable<StrengthOptions["onProgress"]> = ({ tried, killed, total }) => {
    const now = performance.now();
    if (isSilent || (now - shownAt < (isOutputTerminal ? EVERY_MS : EVERY_PLAIN_MS) && tried < total)) return;
    shownAt = now;
    const text = `strength: ${tried} of ${total} mutants tried, ${killed} killed`;
    if (isOutputTerminal) control.err(`\r\x1b[K${errColors.dim(text)}`);
    else err(`${text}\n`);
    isOpen = isOutputTerminal;
  };
  return { show, end, [Symbol.dispose]: end };
}
