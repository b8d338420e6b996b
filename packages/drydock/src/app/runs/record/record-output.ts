import type { Ledger, NewEvent } from "../../../ledger/index.ts";
import { cutRedacted } from "./cut-redacted.ts";

/** Longer output is recorded up to here; the whole of it is an artifact. */
export const INLINE_OUTPUT_CHARS = 64 * 1024;

export function recordOutput(ledger: Pick<Ledger, "redact">, texts: { stdout: string; stderr: string }): NewEvent {
  return {
    type: "output.recorded",
    data: {
      stdout: cutRedacted(ledger, texts.stdout, INLINE_OUTPUT_CHARS),
      stderr: cutRedacted(ledger, texts.stderr, INLINE_OUTPUT_CHARS),
      stdoutChars: texts.stdout.length,
      stderrChars: texts.stderr.length,
    },
  };
}
