import type { Check } from "@drydock/protocol";
import type { Observed } from "../../../../sandbox/index.ts";
import type { WitnessReport } from "../../witness/witness-report.ts";

export type CommandCheck = Extract<Check, { type: "command" | "command_contains" }>;

/** What running one command check on one tree showed. It can be stored: plain data. */
export interface CheckRecord {
  treeHash: string;
  passed: boolean;
  reason: string;
  /** What the command's own processes said: on a tree that the judged work has not touched, they have no reason to lie. */
  report: WitnessReport | null;
  /** What the sandbox saw from outside; null where it can't look. */
  observed: Observed | null;
  /** Files that the check itself wrote. */
  wrote: readonly string[];
  /** Source of test programs that a compiler read, by what it holds: its name need not say so. */
  programs: readonly string[];
  /** How long the run took. */
  durationMs: number;
}

export function isCommandCheck(check: Check): check is CommandCheck {
  return check.type === "command" || check.type === "command_contains";
}

/**
 * Whether a record still counts in another run. One that failed without a complete report of a test runner may show what
 * the machine lacked at that time, not what the tree lacks: a program that is installed later would make any change look
 * like the reason why the check passes.
 */
export function isLasting({ passed, report }: CheckRecord): boolean {
  if (report === null || report.exitCode === null || report.truncated) return false;
  return passed || (report.runners.length > 0 && report.runners.every(({ complete }) => complete));
}

/** Checks with the same key show the same on the same tree. */
export function recordKey(check: CommandCheck, treeHash: string): string {
  const { name, sufficient, ...definition } = check;
  return JSON.stringify([RECORD_VERSION, treeHash, definition]);
}

/** Changes with the shape of a record, so that an older program's records are not read. */
const RECORD_VERSION = 6;

/** Where records of untouched trees are kept: the next attempt, task or run on the same tree does not take them again. */
export interface RecordStore {
  read(key: string): Promise<string | null>;
  write(key: string, text: string): Promise<void>;
}
