import type { CheckResult, ErrorInfo } from "@drydock/protocol";
import { cutStart } from "../base/text/index.ts";

const OUTPUT_CHARS = 2000;
const TRACEBACK_CHARS = 3000;

/** Describes failed code for the model. */
export function describeFailure(error: ErrorInfo, output: string): string {
  const parts = [`The code failed: ${error.code}: ${error.message}`];
  if (typeof error.line === "number") parts.push(`Line: ${error.line}`);
  if (error.hint !== "") parts.push(`Hint: ${error.hint}`);
  if (typeof error.traceback === "string") parts.push(`Traceback:\n${cutStart(error.traceback, TRACEBACK_CHARS)}`);
  if (output.trim() !== "") parts.push(`It printed before that:\n${cutStart(output, OUTPUT_CHARS)}`);
  parts.push("Nothing of it was kept. Send the whole corrected program.");
  return parts.join("\n");
}

export function describeChecks(checks: readonly CheckResult[]): string {
  const failed = checks.filter(({ verdict }) => verdict !== "passed");
  const lines = failed.map(({ type, name, reason }) => `- ${name ?? type}: ${reason}`);
  return `The code ran, but what it left is not what was asked for:\n${lines.join("\n")}\nNothing of it was kept. Send the whole corrected program.`;
}
