import type { ParameterValue } from "@drydock/protocol";
import { formatCall } from "../../extensions/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { CallDirectory, RoutedCall } from "./prepare-call.ts";

const VALUE_CHARS = 300;
const SHOWN_ITEMS = 20;

/**
 * The text of an approval question, on one line. Every value is there: a long one is cut by itself, and says so, so
 * that none can push the others out of sight. What does not show (line breaks, marks that turn text around) is spelled
 * out.
 */
export function summarizeCall(
  ledger: Pick<Ledger, "redact">,
  { command, action, values }: RoutedCall,
  place: CallDirectory,
): string {
  const shown = Object.entries(values).map(([name, value]): [string, ParameterValue] => {
    if (!Array.isArray(value)) return [name, shorten(ledger, value)];
    const items = value.slice(0, SHOWN_ITEMS).map((item) => shorten(ledger, item));
    const more = value.length - items.length;
    return [name, more > 0 ? [...items, `… (and ${more} more)`] : items];
  });
  const where = place.kind === "workspace" ? `  (in ${place.path})` : "";
  return spellOut(ledger.redact(`${formatCall(command, action, Object.fromEntries(shown))}${where}`));
}

/** Without secrets before it is cut. */
function shorten(ledger: Pick<Ledger, "redact">, value: ParameterValue): ParameterValue {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= VALUE_CHARS) return value;
  const redacted = ledger.redact(text);
  const [head, tail] = [redacted.slice(0, VALUE_CHARS - 100), redacted.slice(-60)];
  return `${head.toWellFormed()}… (${text.length} characters) …${tail.toWellFormed()}`;
}

function spellOut(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[^\S ]/gu, (character) => {
    if (character === "\n") return "\\n";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
