import type { LedgerContext } from "./ledger-context.ts";

/**
 * Text for a column: without secrets, and without what not every database can hold. NUL and half a surrogate pair are shown
 * as unreadable.
 */
export function toStorableText({ redactor }: Pick<LedgerContext, "redactor">, text: string): string {
  return redactor.text(text.toWellFormed().replaceAll("\0", "\uFFFD"));
}
