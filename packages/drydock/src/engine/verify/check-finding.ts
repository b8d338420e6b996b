import type { CheckVerdict, GuardCode } from "@drydock/protocol";
import { cutText } from "../../base/text/index.ts";
import type { Observed } from "../../sandbox/index.ts";
import type { WitnessReport } from "./witness/witness-report.ts";

/** What one look at a tree found, before it is put on record as a CheckResult. */
export interface CheckFinding {
  verdict: CheckVerdict;
  code: string;
  reason: string;
  evidence: Record<string, unknown>;
  /** Of a command: what its run showed beside its ending. */
  ran?: CommandRun;
}

export interface CommandRun {
  report: WitnessReport | null;
  observed: Observed | null;
  /** Files that it wrote. */
  wrote: string[];
  /** What it wrote to, also where nothing came of it; null where the sandbox can't tell. */
  touched: readonly string[] | null;
}

export function passed(reason: string, evidence: Record<string, unknown> = {}): CheckFinding {
  return { verdict: "passed", code: "passed", reason, evidence };
}

export function failed(code: string, reason: string, evidence: Record<string, unknown> = {}): CheckFinding {
  return { verdict: "failed", code, reason, evidence };
}

/** A rule that holds for every task does not hold. */
export function broken(code: GuardCode, reason: string, evidence: Record<string, unknown>): CheckFinding {
  return failed(code, reason, evidence);
}

/** The check itself is not allowed. */
export function refused(code: string, reason: string, evidence: Record<string, unknown> = {}): CheckFinding {
  return { verdict: "refused", code, reason, evidence };
}

const TAIL_CHARS = 4000;
const QUOTED_CHARS = 200;

/** The end of a text, where a program says what went wrong; cut at a line where there is one. */
export function tailOf(text: string, chars = TAIL_CHARS): string {
  if (text.length <= chars) return text;
  const tail = text.slice(-chars).toWellFormed();
  const line = tail.indexOf("\n");
  return `… (${text.length - chars} characters before)\n${line >= 0 && line < chars / 2 ? tail.slice(line + 1) : tail}`;
}

/** A text as one line of a sentence, control characters as escapes. */
export function quote(text: string, chars = QUOTED_CHARS): string {
  return JSON.stringify(cutText(text, chars));
}
