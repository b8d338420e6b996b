import type { Ledger } from "../../../ledger/index.ts";

/** The beginning of a text. A secret that lies over the cut is taken out before: its first half alone would not be recognised. */
export function cutRedacted({ redact }: Pick<Ledger, "redact">, text: string, chars: number): string {
  return text.length > chars ? redact(text).slice(0, chars) : text;
}
