import type { Ledger, NewEvent } from "../../ledger/index.ts";

/** Longer output is recorded up to here; the whole of it is an artifact. */
export const INLINE_OUTPUT_CHARS = 64 * 1024;

export function recordOutput(ledger: Pick<Ledger, "redact">, texts: { stdout: string; stderr: string }): NewEvent {
  // A secret that lies over the cut is taken out before: its first half alone would not be recognised.
  const cut = (text: string) =>
    text.length > INLINE_OUTPUT_CHARS
      ? ledger.redact(text.slice(0, 2 * INLINE_OUTPUT_CHARS)).slice(0, INLINE_OUTPUT_CHARS)
      : text;
  return {
    type: "output.recorded",
    data: {
      stdout: cut(texts.stdout),
      stderr: cut(texts.stderr),
      stdoutChars: texts.stdout.length,
      stderrChars: texts.stderr.length,
    },
  };
}
